/* state.c - the state of a solver by chunks, since it may be larger than the memory of the host; with its hash.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "cli.h"

#ifdef HAVE_XXHASH
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

int stream_state(eulercl_solver *solver, int64_t n, enum eulercl_precision precision, void *chunk, chunk_taker *take, void *user, char hash[17])
{
    eulercl_error error;
    int status = EULERCL_OK;
    hash[0] = '\0';
#ifdef HAVE_XXHASH
    XXH64_state_t sum;
    XXH64_reset(&sum, 0);
#endif
    for (int64_t first = 0, left = n; left > 0 && status == EULERCL_OK;) {
        const int64_t count = left < CHUNK ? left : CHUNK;
        if (eulercl_get_components(solver, first, count, chunk, &error) != EULERCL_OK)
            return fail_library(&error);
#ifdef HAVE_XXHASH
        XXH64_update(&sum, chunk, (size_t)count * precision);
#else
        (void)precision;
#endif
        if (take != NULL)
            status = take(first, count, chunk, user);
        if (status == EULERCL_OK)
            status = check_interrupt();
        first += count;
        left -= count;
    }
#ifdef HAVE_XXHASH
    snprintf(hash, 17, "%016" PRIx64, (uint64_t)XXH64_digest(&sum));
#endif
    return status;
}
