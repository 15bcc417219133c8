/* SPDX-License-Identifier: BSD-2-Clause */
/* common.cl - kernels that every program carries: the self-test of the bit contract, and the search
 * for inf and NaN. */

/* Operations whose bits the host knows: see contract_inputs and contract_answer in
 * lib/opencl/contract.c. One item per triple. */
__kernel void ecl_contract(__global const ode_real *in, __global ode_real *out) {
    const size_t i = get_global_id(0);
    const ode_real a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    out[6 * i] = a * b + c;
    out[6 * i + 1] = fma(a, b, c);
    out[6 * i + 2] = a / b;
    out[6 * i + 3] = sqrt(fabs(a));
    out[6 * i + 4] = a * b - c;
    out[6 * i + 5] = floor(a) + b;
}

/* Values of an item that are loaded at once. */
enum { ECL_AHEAD = 8 };

/* found[g] = 1 if a component of part g of the state is not finite. Part g is share components from
 * g * share on. */
__kernel void ecl_find_nonfinite(
    __global const ode_real *y, __global int *found, ode_offset n, ode_offset share) {
    const ode_offset first = (ode_offset)get_group_id(0) * share;
    const ode_offset count = n - first < share ? n - first : share;
    const ode_offset step = (ode_offset)get_local_size(0);
    ode_offset i = (ode_offset)get_local_id(0);
    int bad = 0;
    for (; count - i > (ECL_AHEAD - 1) * step; i += ECL_AHEAD * step) {
        ode_real v[ECL_AHEAD];
        for (int k = 0; k < ECL_AHEAD; k++) v[k] = y[first + i + k * step];
        for (int k = 0; k < ECL_AHEAD; k++) bad |= !isfinite(v[k]);
    }
    for (; i < count; i += step) bad |= !isfinite(y[first + i]);
    if (bad) found[get_group_id(0)] = 1;
}
