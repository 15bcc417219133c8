/* SPDX-License-Identifier: BSD-2-Clause */
/* positions.c - see positions.h. */
#include "config.h"
#include "positions.h"
#include "../int.h"
#include "../mem.h"
#include "../random.h"
#include "../reals.h"
#include <math.h>

enum {
    PLACES = 3,               /* windows that are looked at */
    ROWS = 16,                /* rows of a window, besides those that a row reads */
    SAMPLES = 64,             /* components of each window */
    STATES = 2,               /* near the initial state, and anywhere */
    WITHOUT_WINDOWS = 1 << 20 /* the largest system that is looked at without windows */
};

void ecl_change_positions(const struct system *s, enum position_change change, double size,
    const void *y, void *changed) {
    for (int64_t i = 0; i < s->n; i++) {
        const double now = real_get(y, i, s->real_size);
        const int is_changed = ecl_is_position(s, i) == (change == CHANGE_POSITIONS);
        real_set(changed, i, s->real_size, is_changed ? now + size * ecl_random(i, 50) : now);
    }
}

int ecl_reads_as_declared(const struct system *s, enum position_change change, int64_t i, double t,
    const void *y, const void *changed, struct misread *misread) {
    static const char *const what[POSITION_CHANGES] = {
        "the derivative of a position reads a position",
        "the derivative of a velocity reads a velocity"};
    if (ecl_is_position(s, i) != (change == CHANGE_POSITIONS)) return 1;
    const double before = ecl_system_component(s, i, t, y),
                 after = ecl_system_component(s, i, t, changed);
    if (before == after || (isnan(before) && isnan(after))) return 1;
    *misread =
        (struct misread){.component = i, .before = before, .after = after, .what = what[change]};
    return 0;
}

/* A state of a window whose first component has the number `first`; -> its greatest magnitude. */
static double make_state(
    const eulercl_problem *problem, const struct system *w, int64_t first, int state, void *y) {
    const int has_initial = ecl_has_initial(problem);
    double peak = 0;
    if (has_initial)
        eulercl_problem_initial(
            problem, (enum eulercl_precision)w->real_size, first, w->n, y, NULL);
    for (int64_t i = 0; has_initial && i < w->n; i++) {
        const double size = fabs(real_get(y, i, w->real_size));
        if (isfinite(size)) peak = fmax(peak, size);
    }
    if (!(peak > 0)) peak = 1;
    for (int64_t i = 0; i < w->n; i++) {
        const double now = has_initial ? real_get(y, i, w->real_size) : 0;
        real_set(y, i, w->real_size,
            state == 0 && now != 0 ? now * (1 + 0.01 * ecl_random(i, 51))
                                   : peak * (state ? 2 : 1e-3) * ecl_random(i, 52));
    }
    return peak;
}

/* Component number `number` of those that are looked at: the first ones, the last ones, and some in
 * between. */
static int64_t sample(int64_t begin, int64_t end, int number) {
    const int64_t count = end - begin;
    if (count <= SAMPLES) return begin + number;
    return number < SAMPLES / 4   ? begin + number
           : number < SAMPLES / 2 ? end - 1 - (number - SAMPLES / 4)
                                  : begin + ecl_random_below(count, number, 53);
}

static int verify_window(const eulercl_problem *problem, const struct system *w, int64_t first,
    double t, char *y, char *changed, eulercl_error *error) {
    const int has_cuts = !w->definition->grid.rank; /* components that read beyond them */
    const int64_t begin = has_cuts ? w->context.low : 0, end = has_cuts ? w->context.high : w->n;
    struct misread misread;
    for (int state = 0; state < STATES; state++) {
        const double peak = make_state(problem, w, first, state, y);
        for (int change = 0; change < POSITION_CHANGES; change++) {
            ecl_change_positions(w, (enum position_change)change, peak, y, changed);
            for (int k = 0; k < SAMPLES && k < end - begin; k++)
                if (!ecl_reads_as_declared(w, (enum position_change)change, sample(begin, end, k),
                        t, y, changed, &misread))
                    return ecl_fail(error, EULERCL_UNSUPPORTED,
                        "problem %s: %s, but ODE_POSITION says that it cannot, and symplectic "
                        "methods rely on that: that of component %lld changes from %.9g to %.9g; "
                        "`eulercl check` verifies the whole problem",
                        w->definition->name, misread.what, (long long)(first + misread.component),
                        misread.before, misread.after);
        }
    }
    return EULERCL_OK;
}

int ecl_verify_positions(
    const eulercl_problem *problem, const struct system *s, double t, eulercl_error *error) {
    const int64_t row = ecl_system_row(s), all = s->n / row, reach = ecl_system_radius(s),
                  rows = reach < (all - ROWS) / 4 ? 4 * reach + ROWS : all;
    struct system window = {0};
    void *y = NULL, *changed = NULL;
    if (!s->definition->windows && s->n > WITHOUT_WINDOWS) return EULERCL_OK;
    const int is_whole = rows == all || !s->definition->windows;
    int status = EULERCL_OK;
    if (is_whole)
        window = *s;
    else
        status = ecl_system_window(s, 0, rows, &window, error);
    if (!status) status = ecl_mem_state(window.state_bytes, "a part of the state", &y, error);
    if (!status) status = ecl_mem_state(window.state_bytes, "a part of the state", &changed, error);
    for (int place = 0; !status && place < (is_whole ? 1 : PLACES); place++) {
        const int64_t first = (all - rows) / (PLACES - 1) * place;
        if (!is_whole) ecl_system_move_window(s, first, &window);
        status = verify_window(problem, &window, is_whole ? 0 : first * row, t, y, changed, error);
    }
    ecl_mem_free(y);
    ecl_mem_free(changed);
    if (!is_whole) ecl_system_drop_window(&window);
    return status;
}
