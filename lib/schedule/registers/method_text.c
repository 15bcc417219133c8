/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/method_text.c - see registers/method_text.h. */
#include "config.h"
#include "method_text.h"
#include "../../mem.h"
#include "../../problem/problem_text.h"
#include "../../reals.h"
#include <stdarg.h>
#include <stdio.h>

enum { RUN_STAGES = 4 }; /* stages of one shape that a loop makes */

void ecl_registers_put(struct register_settings *s, const char *format, ...) {
    if (s->length >= sizeof s->text) return;
    va_list arguments;
    va_start(arguments, format);
    s->length +=
        (size_t)vsnprintf(s->text + s->length, sizeof s->text - s->length, format, arguments);
    va_end(arguments);
}

void ecl_registers_put_number(struct register_settings *s, const char *name, int64_t value) {
    ecl_registers_put(s, "#define %s %lld\n", name, (long long)value);
}

int ecl_registers_vector(const struct run *run, int64_t reals) {
    const int most = 16 / (int)run->system.real_size;
    return reals % 4 == 0 && most == 4 ? 4 : reals % 2 == 0 ? 2 : 1;
}

/* ---- shapes ---- */

/* The number of the first stage that has the shape of this one. */
static int first_like(const struct method *m, int stage) {
    int first = 0;
    while (!ecl_have_one_shape(m, &m->table[first], &m->table[stage])) first++;
    return first;
}

/* Shapes are numbered in the order of the stages. */
static int shape_of(const struct method *m, int stage) {
    const int first = first_like(m, stage);
    int shape = 0;
    for (int s = 0; s < first; s++) shape += first_like(m, s) == s;
    return shape;
}

int ecl_registers_shape(const struct method *m, int stage) { return shape_of(m, stage); }

int ecl_registers_shapes(const struct method *m) {
    int shapes = 0;
    for (int s = 0; s < m->stages; s++) shapes += first_like(m, s) == s;
    return shapes;
}

int ecl_registers_makes_any(const struct method *m) {
    enum { MOST_SHAPES = 16 };
    return ecl_registers_shapes(m) <= MOST_SHAPES;
}

/* The row that is computed in this turn. */
static int row_in_turn(const struct method *m, const struct stage *stage, int turn) {
    return stage->in_place ? m->arrays - 1 - turn : turn;
}

/* The rows say which terms it has. */
static void put_shape(struct register_settings *settings, const struct method *m,
    const struct stage *s, const struct stage_row *rows, int shape) {
    int factors = 0;
    ecl_registers_put(settings, " STAGE_BEGIN_(%d, %d)", shape, (int)s->components);
    for (int turn = 0; turn < m->arrays; turn++) {
        const int i = row_in_turn(m, s, turn);
        const struct stage_row row = rows[i];
        ecl_registers_put(settings, " STAGE_ROW_(%d, %u, %u", i, row.terms, row.ones);
        for (int j = 0; j <= ODE_MOST_ARRAYS_; j++)
            ecl_registers_put(settings, ", %d", (row.terms & ~row.ones) >> j & 1 ? factors++ : 0);
        ecl_registers_put(settings, s->in_place ? ") STAGE_SET_(%d)" : ")", i);
    }
    for (int i = 0; !s->in_place && i < m->arrays; i++)
        ecl_registers_put(settings, " STAGE_SET_(%d)", i);
    ecl_registers_put(settings, " STAGE_END_");
}

/* The rows of stage s of a section. */
static void find_rows(const struct method *m, const struct body *body, int s,
    struct stage_row rows[ODE_MOST_ARRAYS_]) {
    for (int i = 0; i < m->arrays; i++)
        rows[i] = body ? body->rows[i] : ecl_stage_row(&m->table[s], i);
}

static void put_shapes(struct register_settings *settings, const struct run *run,
    const struct method *m, const struct body *body, int is_any) {
    int shapes = 0, turns = 0;
    unsigned long reads = 0, hands_over = 0; /* bits: shapes */
    ecl_registers_put(settings, "#define STAGE_SHAPES");
    for (int s = 0; s < m->stages; s++) {
        const struct stage_edges edges = ecl_registers_edges(&run->system, &m->table[s]);
        struct stage_row rows[ODE_MOST_ARRAYS_];
        turns += edges.hands_over;
        if (body ? s > 0 : first_like(m, s) != s) continue;
        reads |= (unsigned long)edges.reads << shapes;
        hands_over |= (unsigned long)edges.hands_over << shapes;
        find_rows(m, body, s, rows);
        put_shape(settings, m, &m->table[s], rows, shapes++);
    }
    if (is_any) /* edges that a stage need not read or hand over are right all the same */
        ecl_registers_put(settings, "\n#define STAGE_TURNS STAGE_COUNT\n#define "
                                    "STAGE_READS(shape) 1\n#define STAGE_HANDS_OVER(shape) 1\n");
    else
        ecl_registers_put(settings,
            "\n#define STAGE_TURNS %d\n#define STAGE_READS(shape) (%#lx >> (shape) & 1)\n#define "
            "STAGE_HANDS_OVER(shape) (%#lx "
            ">> (shape) & 1)\n",
            turns, reads, hands_over);
    ecl_registers_put(settings, "#define STAGE_CHOICE(CALL)");
    for (int shape = 0; shape < shapes - 1; shape++)
        ecl_registers_put(settings, " if (shape == %d) CALL(%d); else", shape, shape);
    ecl_registers_put(settings, " CALL(%d);\n", shapes - 1);
}

/* The stages from..end-1 as calls of ONE and, if `runs`, RUN. */
static void put_stages(
    struct register_settings *settings, const struct method *m, int from, int end, int runs) {
    for (int s = from; s < end;) {
        const int shape = shape_of(m, s);
        int same = s + 1;
        while (same < end && shape_of(m, same) == shape) same++;
        if (runs && same - s >= RUN_STAGES) {
            ecl_registers_put(settings, " RUN(%d, %d, %d)", shape, s, same);
            s = same;
        }
        for (; s < same; s++) ecl_registers_put(settings, " ONE(%d, %d)", shape, s);
    }
}

/* Whether a step's last stage and the next step's first have the same derivatives: not if the
 * solution may be flushed between them, or its errors compared. */
static int is_ahead(const struct run *run, const struct method *m) {
    const struct stage *first = m->table, *last = &m->table[m->stages - 1];
    return m->stages > 1 && !run->system.flush.reals && !m->estimate &&
           first->components != STAGE_ALL && first->components == last->components &&
           !ecl_registers_edges(&run->system, last).hands_over && !run->system.reads_time;
}

static void put_step(
    struct register_settings *settings, const struct run *run, const struct method *m) {
    const int ahead = is_ahead(run, m);
    ecl_registers_put(settings, "#define STAGE_AHEAD %d\n#define STAGE_STEP(ONE, RUN)", ahead);
    put_stages(settings, m, ahead, m->stages, !ahead);
    if (ahead) put_stages(settings, m, 0, 1, 0);
    ecl_registers_put(settings, "\n#define STAGE_FIRST(ONE)");
    if (ahead) put_stages(settings, m, 0, 1, 0);
    ecl_registers_put(settings, "\n#define STAGE_LAST(ONE)");
    if (ahead) put_stages(settings, m, 1, m->stages, 0);
    ecl_registers_put(settings, "\n");
}

/* The text for any section of any step (STAGE_IS_ANY). */
static void put_any(struct register_settings *settings, const struct run *run, int most_stages) {
    const struct method *const whole = run->system.method;
    ecl_registers_put(settings,
        "#define STAGE_ARRAYS %d\n#define STAGE_MOST %d\n#define STAGE_FACTORS %d\n"
        "#define STAGE_IS_ANY 1\n#define STAGE_IS_SECTION 1\n#define STAGE_AHEAD 0\n"
        "#define STAGE_COUNT (view->section->stages)\n#define STAGE_ENDS (view->section->ends)\n"
        "#define FLUSH_STEPS (view->section->flush_steps)\n#define STAGE_FIRST(ONE)\n"
        "#define STAGE_LAST(ONE)\n"
        "#define STAGE_STEP(ONE, RUN) for (int at = 0; at < STAGE_COUNT; at++)",
        whole->arrays, most_stages, ecl_stage_factors(whole));
    const int last = ecl_registers_shapes(whole) - 1;
    for (int shape = 0; shape < last; shape++)
        ecl_registers_put(
            settings, " if (STAGE_SHAPE(view, at) == %d) ONE(%d, at) else", shape, shape);
    ecl_registers_put(settings, " ONE(%d, at)\n", last);
    put_shapes(settings, run, whole, NULL, 1);
}

static int factors_of(const struct method *section, const struct body *body) {
    return body ? ecl_body_factors(body) : ecl_stage_factors(section);
}

void ecl_registers_put_method(struct register_settings *settings, const struct run *run,
    const struct method *section, const struct body *body, int most_stages) {
    const struct method *const m = section, *const whole = run->system.method;
    const ptrdiff_t first = m->table - whole->table;
    if (most_stages) {
        put_any(settings, run, most_stages);
        return;
    }
    ecl_registers_put(settings,
        "#define STAGE_ARRAYS %d\n#define STAGE_COUNT %d\n#define STAGE_MOST %d\n#define "
        "STAGE_FACTORS %d\n#define STAGE_IS_ANY 0\n#define STAGE_ENDS 1\n#define "
        "STAGE_IS_SECTION %d\n",
        m->arrays, m->stages, m->stages, factors_of(m, body), m->stages < whole->stages);
    if (!body)
        ecl_registers_put(settings, "#define STAGE_ENTERS %d\n#define STAGE_LEAVES %d\n",
            ecl_carried_into(whole, first), ecl_carried_into(whole, first + m->stages));
    ecl_registers_put(settings, "#define FLUSH_STEPS %d\n", ODE_FLUSH_STEPS_(whole->stages));
    put_shapes(settings, run, m, body, 0);
    if (!body) put_step(settings, run, m);
}

void ecl_registers_put_levels(
    struct register_settings *settings, const struct method *m, int64_t levels) {
    ecl_registers_put(settings, "#define STREAM_EACH(LEVEL)");
    for (int64_t level = 0; level < levels; level++) {
        const int stage = (int)(level % m->stages);
        ecl_registers_put(
            settings, " LEVEL(%lld, %d, %d)", (long long)level + 1, shape_of(m, stage), stage);
    }
    ecl_registers_put(settings, "\n");
}

/* Whether the levels of two warps have the same shapes. */
static int have_one_class(const struct method *m, int64_t levels, int64_t a, int64_t b) {
    int same = 1;
    for (int64_t level = 0; level < levels; level++)
        same &= shape_of(m, (int)((a * levels + level) % m->stages)) ==
                shape_of(m, (int)((b * levels + level) % m->stages));
    return same;
}

/* Classes are numbered in the order of the warps, of which each is known by its first one. */
void ecl_registers_put_warps(struct register_settings *settings, const struct method *m,
    const struct body *body, int64_t warps, int64_t levels) {
    int64_t first[PIPE_MOST_WARPS];
    int classes = 0;
    if (body) {
        ecl_registers_put(settings, "#define PIPE_CLASS(warp) 0\n#define PIPE_CHOICE(CALL) "
                                    "CALL(0);\n#define PIPE_SHAPE(class, level) 0\n");
        return;
    }
    ecl_registers_put(settings, "#define PIPE_CLASS(warp) (");
    for (int64_t warp = 0; warp < warps; warp++) {
        int class = 0;
        while (class < classes && !have_one_class(m, levels, first[class], warp)) class ++;
        if (class == classes) first[classes++] = warp;
        if (class) ecl_registers_put(settings, "(warp) == %lld ? %d : ", (long long)warp, class);
    }
    ecl_registers_put(settings, "0)\n#define PIPE_CHOICE(CALL)");
    for (int class = 0; class < classes - 1; class ++)
        ecl_registers_put(settings, " if (class == %d) CALL(%d); else", class, class);
    ecl_registers_put(settings, " CALL(%d);", classes - 1);
    ecl_registers_put(settings, "\n#define PIPE_SHAPE(class, level) (");
    for (int class = 0; class < classes; class ++)
        for (int64_t level = 0; level < levels; level++) {
            const int shape = shape_of(m, (int)((first[class] * levels + level) % m->stages));
            if (shape)
                ecl_registers_put(settings, "(class) == %d && (level) == %lld ? %d : ", class,
                    (long long)level, shape);
        }
    ecl_registers_put(settings, "0)\n");
}

/* ---- the coefficients ---- */

void *ecl_registers_factors(const struct run *run, const struct method *section,
    const struct body *body, int most_stages, double h, size_t *bytes) {
    const struct method *const m = section;
    const size_t size = run->system.real_size;
    const int stride = most_stages ? ecl_stage_factors(run->system.method) : factors_of(m, body);
    *bytes = (size_t)(most_stages ? most_stages : m->stages) * (size_t)stride * size;
    void *const factors = ecl_mem_zeroed(*bytes, 1);
    if (!factors) return NULL;
    for (int s = 0; s < m->stages; s++) {
        const int is_first = body && &m->table[s] == run->system.method->table;
        const struct stage *const stage = is_first ? &body->first : &m->table[s];
        int64_t at = (int64_t)s * stride;
        struct stage_row rows[ODE_MOST_ARRAYS_];
        find_rows(m, body, s, rows);
        for (int turn = 0; turn < m->arrays; turn++) {
            const int i = row_in_turn(m, stage, turn);
            for (int j = 0; j <= ODE_MOST_ARRAYS_; j++)
                if ((rows[i].terms & ~rows[i].ones) >> j & 1)
                    real_set(factors, at++, size,
                        j < ODE_MOST_ARRAYS_ ? stage->a[i][j] : h * stage->b[i]);
        }
    }
    return factors;
}
