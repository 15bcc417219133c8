/* SPDX-License-Identifier: BSD-2-Clause */
/* mem.c - the only allocator of the library: overflow-checked, counted, and able to fail on demand.
 */
#include "config.h"
#include "mem.h"
#include "internal.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A smaller share of the machine's memory is not compared with what is available. */
enum { SMALL_SHARE = 64 };
enum { ALIGNMENT = 64, HUGE_PAGE = 1 << 21, LEAST_HUGE_BYTES = HUGE_PAGE / 4, SPARES = 4 };

/* Larger arrays are not kept: their runs are so long that fresh memory costs little. A sanitizer
 * sees uses after a free only if nothing is kept. */
#ifdef __SANITIZE_ADDRESS__
enum { MOST_SPARE_BYTES = 0 };
#else
enum { MOST_SPARE_BYTES = 1 << 22 };
#endif

/* Arrays that were freed and wait for an array of the same size; each begins with its size. All
 * changes are exchanges, because solvers of several threads come and go at the same time. */
static uint64_t *_Atomic spares[SPARES];

static atomic_long live, fail_in = -1;
static atomic_int fail_on;

void ecl_mem_fail(long allocations, int from_then_on) {
    atomic_store(&fail_on, from_then_on);
    atomic_store(&fail_in, allocations);
}

long ecl_mem_live(void) { return atomic_load(&live); }

static int told_to_fail(void) {
    if (atomic_load(&fail_in) < 0) return 0;
    const long left = atomic_fetch_sub(&fail_in, 1);
    if (left == 0 && atomic_load(&fail_on)) atomic_store(&fail_in, 0);
    return left == 0;
}

static void *aligned(uint64_t bytes, size_t alignment) {
    uint64_t rounded;
    if (told_to_fail() || __builtin_add_overflow(bytes, alignment, &rounded) ||
        rounded > PTRDIFF_MAX)
        return NULL;
    void *memory = aligned_alloc(alignment, rounded / alignment * alignment);
    if (memory) atomic_fetch_add(&live, 1);
    return memory;
}

void *ecl_mem_zeroed(uint64_t count, uint64_t size) {
    uint64_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    void *memory = aligned(bytes, ALIGNMENT);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

double ecl_mem_machine(void) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (double)pages * (double)page : 1.0 / 0.0;
}

/* Bytes that the system can give without swapping; if it does not say so, those installed. */
static double available(void) {
    FILE *const file = fopen("/proc/meminfo", "re");
    double kilobytes = ecl_mem_machine() / 1024;
    char line[128];
    while (file && fgets(line, sizeof line, file) &&
           sscanf(line, "MemAvailable: %lf", &kilobytes) != 1) {
    }
    if (file) fclose(file);
    return 1024 * kilobytes;
}

static void *take_spare(uint64_t bytes) {
    for (int i = 0; i < SPARES; i++) {
        uint64_t *spare = atomic_exchange(&spares[i], NULL);
        if (spare && *spare == bytes) {
            atomic_fetch_add(&live, 1);
            return spare;
        }
        if (spare) free(atomic_exchange(&spares[i], spare));
    }
    return NULL;
}

void ecl_mem_spare(void *memory, uint64_t bytes) {
    uint64_t *spare = memory;
    if (!memory) return;
    atomic_fetch_sub(&live, 1);
    if (bytes >= LEAST_HUGE_BYTES && bytes <= MOST_SPARE_BYTES) {
        *spare = bytes;
        for (int i = 0; spare && i < SPARES; i++) spare = atomic_exchange(&spares[i], spare);
    }
    free(spare); /* the last of those that were there before, if there are too many */
}

__attribute__((destructor)) static void free_spares(void) {
    for (int i = 0; i < SPARES; i++) free(atomic_exchange(&spares[i], NULL));
}

/* The first touches of half a megabyte of small pages take longer than many short runs. */
static void *huge(uint64_t bytes) {
    void *memory = take_spare(bytes);
    if (memory) return memory;
    memory = aligned(bytes, HUGE_PAGE);
#ifdef MADV_HUGEPAGE
    /* The last page is a whole one, too, because the memory is a multiple of its alignment. This is
     * only advice, so failure is harmless. */
    if (memory) madvise(memory, (bytes / HUGE_PAGE + 1) * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return memory;
}

int ecl_mem_state(uint64_t bytes, const char *what, void **memory, eulercl_error *error) {
    /* Compare first: a system that overcommits would accept the request, and kill the process
     * later. */
    const double machine = ecl_mem_machine();
    const double most = (double)bytes > machine / SMALL_SHARE ? available() : machine;
    *memory = (double)bytes > most        ? NULL
              : bytes >= LEAST_HUGE_BYTES ? huge(bytes)
                                          : aligned(bytes, ALIGNMENT);
    if (!*memory)
        return ecl_fail(error, EULERCL_MEMORY,
            "cannot allocate %.4g MB for %s (%.4g MB available, %.4g MB installed)",
            (double)bytes * 1e-6, what, available() * 1e-6, machine * 1e-6);
    memset(*memory, 0, bytes);
    return EULERCL_OK;
}

void ecl_mem_free(void *memory) {
    if (memory) atomic_fetch_sub(&live, 1);
    free(memory);
}
