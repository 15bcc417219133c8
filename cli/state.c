/* state.c - the state of a solver, in and out by chunks: it may be larger than the memory of the host.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "cli.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_XXHASH
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

int load_state(eulercl_solver *solver, const char *path, FILE *in, const struct layout *layout, void *chunk)
{
    eulercl_error error;
    int64_t first = 0;
    for (int64_t left = layout->info->n; left > 0;) {
        const int64_t count = left < CHUNK ? left : CHUNK;
        const size_t got = fread(chunk, layout->precision, (size_t)count, in);
        if (got != (size_t)count)
            return ferror(in) ? fail(EULERCL_FILE, "%s: %s", path, strerror(errno))
                              : fail(EULERCL_FILE, "%s is truncated: it ends after %" PRId64 " of %" PRId64 " reals", path,
                                     first + (int64_t)got, layout->info->n);
        if (eulercl_set_components(solver, first, count, chunk, &error) != EULERCL_OK)
            return fail_library(&error);
        first += count;
        left -= count;
    }
    if (getc(in) != EOF)
        return fail(EULERCL_FILE, "%s has more bytes than its header says", path);
    return EULERCL_OK;
}

int save_state(eulercl_solver *solver, struct output *outputs, size_t n_outputs, const struct layout *layout, void *chunk,
               char hash[17])
{
    eulercl_error error;
    eulercl_stats stats = {.struct_size = sizeof stats};
    int status = EULERCL_OK;
    hash[0] = '\0';
#ifdef HAVE_XXHASH
    XXH64_state_t sum;
    XXH64_reset(&sum, 0);
#endif
    for (int64_t first = 0, left = layout->info->n; left > 0 && status == EULERCL_OK;) {
        const int64_t count = left < CHUNK ? left : CHUNK;
        if (eulercl_get_components(solver, first, count, chunk, &error) != EULERCL_OK)
            return fail_library(&error);
#ifdef HAVE_XXHASH
        XXH64_update(&sum, chunk, (size_t)count * layout->precision);
#endif
        for (size_t i = 0; i < n_outputs && status == EULERCL_OK; i++)
            status = outputs[i].format->add(&outputs[i], first, count, chunk);
        if (status == EULERCL_OK)
            status = check_interrupt();
        first += count;
        left -= count;
    }
#ifdef HAVE_XXHASH
    snprintf(hash, 17, "%016" PRIx64, (uint64_t)XXH64_digest(&sum));
#endif
    eulercl_get_stats(solver, &stats, NULL);
    for (size_t i = 0; i < n_outputs && status == EULERCL_OK; i++)
        if (outputs[i].format->finish != NULL)
            status = outputs[i].format->finish(&outputs[i], stats.t);
    for (size_t i = 0; i < n_outputs && status == EULERCL_OK; i++)
        status = commit_output(&outputs[i]);
    return status;
}
