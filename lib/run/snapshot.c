/* SPDX-License-Identifier: BSD-2-Clause */
/* snapshot.c - states that are read while the solver goes on: a copy where the state is, returned
 * in parts. */
#include "config.h"
#include "backend.h"
#include "../mem.h"

/* The reader's thread uses nothing of the solver's run: next only uses the copy. */
struct eulercl_snapshot {
    const struct copy_table *table;
    struct run *run;
    void *copy;
    int64_t n, done; /* reals that were returned; -1: there is no state to return */
};

int ecl_snapshot_make(struct run *run, const struct copy_table *table, eulercl_snapshot **snapshot,
    eulercl_error *error) {
    eulercl_snapshot *s = ecl_mem_zeroed(1, sizeof *s);
    if (!s) return ecl_no_memory(error, "a snapshot");
    *s = (eulercl_snapshot){.table = table, .run = run, .n = run->system.n, .done = -1};
    const int status = table->create(run, 1, &s->copy, error);
    if (status) {
        ecl_mem_free(s);
        return status;
    }
    run->report.device_bytes += run->system.state_bytes;
    *snapshot = s;
    return EULERCL_OK;
}

int eulercl_snapshot_take(eulercl_snapshot *snapshot, eulercl_error *error) {
    EULERCL_NEEDS(snapshot);
    snapshot->done = -1;
    int status = ecl_check_process(snapshot->run, error);
    if (!status) status = snapshot->table->take(snapshot->run, snapshot->copy, error);
    if (!status) snapshot->done = 0;
    return status;
}

int eulercl_snapshot_next(
    eulercl_snapshot *snapshot, const void **y, int64_t *count, eulercl_error *error) {
    EULERCL_NEEDS(snapshot);
    EULERCL_NEEDS(y);
    EULERCL_NEEDS(count);
    if (snapshot->done < 0)
        return ecl_fail(error, EULERCL_INVALID,
            "the snapshot holds no state: none was taken, or reading it has failed");
    const int64_t left = snapshot->n - snapshot->done,
                  part = left < SNAPSHOT_PART ? left : SNAPSHOT_PART;
    const void *at = NULL;
    int status = ecl_check_process(snapshot->run, error);
    if (!status && part)
        status = snapshot->table->part(snapshot->copy, snapshot->done, part, &at, error);
    snapshot->done = status ? -1 : snapshot->done + part;
    if (status) return status;
    *y = at;
    *count = part;
    return EULERCL_OK;
}

void eulercl_snapshot_destroy(eulercl_snapshot *snapshot) {
    if (!snapshot) return;
    snapshot->run->report.device_bytes -= snapshot->run->system.state_bytes;
    if (!ecl_check_process(snapshot->run, NULL)) snapshot->table->destroy(snapshot->copy);
    ecl_mem_free(snapshot);
}
