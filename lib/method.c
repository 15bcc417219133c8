/* method.c - see method.h.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"
#include "method.h"

static const struct stage euler_table[] = {{.a = {{1}}, .b = {1}}},
                          derivative_table[] = {{.b = {1}}};

const struct method eulercl_euler = {
    .name = "euler", .order = 1, .stages = 1, .arrays = 1, .real_limit = 2, .table = euler_table};
const struct method eulercl_derivative = {
    .name = "derivative", .stages = 1, .arrays = 1, .table = derivative_table};

int eulercl_is_plain(const struct method *method) {
    for (int s = 0; s < method->stages; s++)
        if (method->table[s].a[0][0] != 1) return 0;
    return method->arrays == 1;
}

int eulercl_needs_single_level(const struct method *method, eulercl_error *error) {
    const struct stage *first = method->table;
    if (method->stages == 1 && eulercl_is_plain(method) && first->b[0] == 1 && first->c == 0)
        return EULERCL_OK;
    return eulercl_fail(error, EULERCL_UNSUPPORTED,
        "tiles compute steps of one stage without carried values: method %s has %d stage%s and %d "
        "array%s",
        method->name, method->stages, method->stages == 1 ? "" : "s", method->arrays,
        method->arrays == 1 ? "" : "s");
}

/* The products are computed in double and rounded once. */
void eulercl_stage_of(const struct method *method, int64_t level, double h, size_t real_size,
    union eulercl_stage *stage) {
    const struct stage *s = &method->table[level % method->stages];
    *stage = (union eulercl_stage){0};
    for (int i = 0; i < method->arrays; i++) {
        for (int j = 0; j < method->arrays; j++) {
            if (real_size == sizeof(float))
                stage->f32.a[i][j] = (float)s->a[i][j];
            else
                stage->f64.a[i][j] = s->a[i][j];
        }
        if (real_size == sizeof(float))
            stage->f32.hb[i] = (float)(h * s->b[i]);
        else
            stage->f64.hb[i] = h * s->b[i];
    }
}

int eulercl_carried_bytes(const struct system *system, uint64_t *bytes, eulercl_error *error) {
    uint64_t all;
    if (__builtin_mul_overflow(system->state_bytes, (uint64_t)system->method->arrays + 1, &all))
        return eulercl_fail(error, EULERCL_MEMORY,
            "the memory for the %d arrays of method %s overflows 64 bits", system->method->arrays,
            system->method->name);
    *bytes = system->state_bytes * (uint64_t)(system->method->arrays - 1);
    return EULERCL_OK;
}
