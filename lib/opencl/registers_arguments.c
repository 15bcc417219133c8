/* SPDX-License-Identifier: BSD-2-Clause */
/* opencl/registers_arguments.c - the arguments of the register kernels. Which ones a kernel has,
 * and in which order, its table says (schedule/registers/); this file knows what each of them is.
 */
#include "config.h"
#include "registers.h"
#include "../mem.h"
#include "../problem/grid.h"
#include "../schedule/registers/method_text.h"
#include <string.h>

void ecl_cl_find_places(const struct run *run, struct section *section) {
    const struct register_section *const s = &section->is;
    const struct register_kernel *const kernel = s->tile->kernel;
    const struct register_program *const program = kernel->program(s->tile);
    const int ends = ecl_cl_may_end_step(s),
              is_part = s->tile->cut.sections > 1 || s->tile->most_stages,
              has_numbers = kernel->numbers && kernel->numbers(run, s).count,
              flushes = ends && run->system.flush.reals;
    const struct {
        enum register_argument argument;
        int is_there;
    } behind[] = {{ARGUMENT_CARRIED_IN, is_part}, {ARGUMENT_CARRIED_OUT, is_part},
        {ARGUMENT_SECTION, has_numbers}, {ARGUMENT_FLUSHED, flushes}, {ARGUMENT_ERRORS, ends}};
    signed char count = 0;
    memset(section->places, -1, sizeof section->places);
    for (const enum register_argument *own = program->arguments; *own != ARGUMENTS; own++)
        section->places[*own] = count++;
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        if (behind[i].is_there) section->places[behind[i].argument] = count++;
}

cl_int ecl_cl_set_argument(const struct section *section, cl_kernel kernel,
    enum register_argument argument, size_t bytes, const void *value) {
    const int place = section->places[argument];
    return place < 0 ? CL_SUCCESS : clSetKernelArg(kernel, (cl_uint)place, bytes, value);
}

cl_int ecl_cl_set_number(const struct run *run, const struct section *section, cl_kernel kernel,
    enum register_argument argument, int64_t value) {
    const int place = section->places[argument];
    return place < 0 ? CL_SUCCESS : ecl_cl_set_index(run->impl, kernel, (cl_uint)place, value);
}

cl_int ecl_cl_set_rows(const struct run *run, const struct section *section, cl_kernel kernel,
    int64_t begin, int64_t end, int64_t height) {
    cl_int cl = ecl_cl_set_number(run, section, kernel, ARGUMENT_HEIGHT, height);
    if (!cl) cl = ecl_cl_set_number(run, section, kernel, ARGUMENT_Y_BEGIN, begin);
    return cl ? cl : ecl_cl_set_number(run, section, kernel, ARGUMENT_Y_END, end);
}

cl_int ecl_cl_set_all_rows(const struct run *run, const struct section *section, cl_kernel kernel) {
    return ecl_cl_set_rows(
        run, section, kernel, 0, grid_length(&run->system.context.grid), section->is.tile->height);
}

cl_int ecl_cl_set_arguments(const struct run *run, int number, int turn) {
    const struct registers *r = run->impl;
    const struct cl_state *c = &r->state;
    const struct system *s = &run->system;
    const struct section *const section = &r->made->sections[number];
    const struct register_tile *t = section->is.tile;
    const struct register_numbers own =
        t->kernel->numbers ? t->kernel->numbers(run, &section->is) : (struct register_numbers){0};
    const cl_kernel kernel = section->kernels[turn];
    const cl_int together = (cl_int)t->steps;
    const struct {
        enum register_argument argument;
        int64_t value;
    } numbers[] = {
        {ARGUMENT_HALO, t->halo}, {ARGUMENT_HALO_DOWN, t->halo_down}, {ARGUMENT_FIRST, 0}};
    const struct {
        enum register_argument argument;
        size_t bytes;
        const void *value;
    } values[] = {{ARGUMENT_CONSTANTS, c->constants_bytes, s->constants},
        {ARGUMENT_SECTION, (size_t)own.count * sizeof *own.values, own.values},
        {ARGUMENT_IN, sizeof(cl_mem), turn != r->turn ? &c->next : &c->now},
        {ARGUMENT_OUT, sizeof(cl_mem), turn != r->turn ? &c->now : &c->next},
        {ARGUMENT_TIMES, sizeof(cl_mem), &c->times}, {ARGUMENT_FIELDS, sizeof(cl_mem), &c->fields},
        {ARGUMENT_TOGETHER, sizeof together, &together},
        {ARGUMENT_WORDS, sizeof(cl_mem), &r->made->words}, {ARGUMENT_TAG, sizeof r->tag, &r->tag},
        {ARGUMENT_FAILED, sizeof(cl_mem), &r->made->failed}};
    cl_int cl = ecl_cl_set_axes(
        c, kernel, (cl_uint)section->places[ARGUMENT_EXTENTS], s->context.grid.extents);
    if (!cl) cl = ecl_cl_set_all_rows(run, section, kernel);
    for (size_t i = 0; !cl && i < sizeof numbers / sizeof *numbers; i++)
        cl = ecl_cl_set_number(run, section, kernel, numbers[i].argument, numbers[i].value);
    for (size_t i = 0; !cl && i < sizeof values / sizeof *values; i++)
        cl = ecl_cl_set_argument(
            section, kernel, values[i].argument, values[i].bytes, values[i].value);
    return cl;
}

int ecl_cl_set_carried(struct run *run, eulercl_error *error) {
    const struct registers *const r = run->impl;
    const int sections = r->made->tile.cut.sections, has_both = r->carried[1] != NULL;
    cl_int cl = CL_SUCCESS;
    for (int s = 0; s < sections; s++)
        for (int turn = 0; turn < 2; turn++) {
            const struct section *const section = &r->made->sections[s];
            const cl_kernel kernel = section->kernels[turn];
            const cl_mem *const in = &r->carried[has_both ? turn : 0],
                                *const out = &r->carried[has_both ? !turn : 0];
            if (!cl) cl = ecl_cl_set_argument(section, kernel, ARGUMENT_CARRIED_IN, sizeof *in, in);
            if (!cl)
                cl = ecl_cl_set_argument(section, kernel, ARGUMENT_CARRIED_OUT, sizeof *out, out);
        }
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : EULERCL_OK;
}

cl_int ecl_cl_set_constants(const struct run *run) {
    const struct registers *const r = run->impl;
    cl_int cl = CL_SUCCESS;
    /* Also those of methods that are not used now, to which a run may return. */
    for (int i = 0; i < r->count; i++)
        for (int s = 0; !cl && r->all[i].sections && s < r->all[i].tile.cut.sections; s++)
            for (int k = 0; !cl && k < 2; k++)
                cl = ecl_cl_set_argument(&r->all[i].sections[s], r->all[i].sections[s].kernels[k],
                    ARGUMENT_CONSTANTS, r->state.constants_bytes, run->system.constants);
    return cl;
}

int ecl_cl_set_factors(struct run *run, double h, eulercl_error *error) {
    const struct registers *r = run->impl;
    cl_int cl = CL_SUCCESS;
    for (int s = 0; !cl && s < r->made->tile.cut.sections; s++) {
        const struct section *section = &r->made->sections[s];
        size_t bytes;
        void *const factors = ecl_registers_factors(
            run, &section->is.stages, section->is.body, section->is.tile->most_stages, h, &bytes);
        if (!factors) return ecl_no_memory(error, "the method's coefficients");
        for (int k = 0; !cl && k < 2; k++)
            cl =
                ecl_cl_set_argument(section, section->kernels[k], ARGUMENT_FACTORS, bytes, factors);
        ecl_mem_free(factors);
    }
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : EULERCL_OK;
}
