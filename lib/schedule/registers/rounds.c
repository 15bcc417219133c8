/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/rounds.c - see registers/kernel.h: how long kernels take whose groups are all alike. */
#include "config.h"
#include "kernel.h"

double ecl_register_alone(const struct register_work *w) {
    return (ceil(w->warps / MACHINE_SCHEDULERS) + fmax(1, w->warps / MACHINE_SCHEDULERS)) / 2;
}

double ecl_register_hiding(const struct register_work *w) {
    return machine_gpu.rounds.hiding +
           machine_gpu.rounds.hiding_warp * MACHINE_SCHEDULERS / (w->held * w->warps);
}

double ecl_register_imbalance(const struct register_work *w) {
    return w->warps <= 2 ? 1 : ceil(w->warps / MACHINE_SCHEDULERS) * MACHINE_SCHEDULERS / w->warps;
}

double ecl_register_spilling(const struct register_work *w) {
    return w->registers == MACHINE_MOST_REGISTERS ? machine_gpu.rounds.spilled : 1;
}

double ecl_register_rounds(const struct register_work *w, const struct register_rounds *r) {
    if (w->groups <= w->held) {
        const double cycles = w->levels * fmax(r->one, r->fullest * r->issue * r->busy);
        /* Persistent tiles send and receive their values one by one. */
        if (w->tile->persistent)
            return machine_gpu.exchange_seconds +
                   machine_gpu.word_seconds * w->points *
                       (double)(w->tile->items * w->tile->item_rows) * w->components * w->word +
                   cycles / machine_gpu.clock_rate;
        return machine_gpu.launch_seconds + cycles / machine_gpu.clock_rate + w->transfer;
    }
    /* Groups compute while others load and store. */
    const double rounds = whole_rounds(w), rest = ceil(w->groups - rounds * w->held);
    const double last =
        rest > 0 ? fmax(r->one, rest * w->warps / MACHINE_SCHEDULERS * r->issue * r->crowding) : 0;
    const double cycles =
        r->slower * w->levels *
        (rounds * w->held * w->warps / MACHINE_SCHEDULERS * r->issue * r->crowding + last);
    return r->fixed + cycles / machine_gpu.clock_rate + r->shown * w->transfer;
}
