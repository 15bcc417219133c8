/* SPDX-License-Identifier: BSD-2-Clause */
/* transport.c - see transport.h. */
#include "config.h"
#include "transport.h"

int ecl_transport_agree(const struct transport *t, int status, eulercl_error *error) {
    eulercl_error unread, *const of = error ? error : &unread;
    if (!t) return status;
    int64_t heard = status ? t->ranks - t->rank : 0;
    if (status && !error) of->code = status;
    int own = t->greatest(t->user, &heard, 1, of);
    if (!own && heard) own = t->broadcast(t->user, t->ranks - heard, of, sizeof *of, NULL);
    return own ? own : heard ? of->code : EULERCL_OK;
}
