/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.cl - the limits of a device: a copy in global memory, and fused multiply-adds in
 * registers. prelude.cl comes before it. */

__kernel void ceiling_copy(
    __global const ode_real4 *restrict in, __global ode_real4 *restrict out) {
    out[get_global_id(0)] = in[get_global_id(0)];
}

/* 8 chains of four reals per item, 32 steps each per round. a and b come from the host, and out
 * keeps the end: nothing can be computed beforehand. */
#define CHAINS_ALL(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define CHAIN_BEGIN(k) ode_real4 x##k = (ode_real4)(id + k, id - k, id * k, k);
#define CHAIN_STEP(k) x##k = fma(x##k, a4, b4);
#define CHAIN_STEPS4 \
    CHAINS_ALL(CHAIN_STEP) CHAINS_ALL(CHAIN_STEP) CHAINS_ALL(CHAIN_STEP) CHAINS_ALL(CHAIN_STEP)
#define CHAIN_STEPS32                                                                          \
    CHAIN_STEPS4 CHAIN_STEPS4 CHAIN_STEPS4 CHAIN_STEPS4 CHAIN_STEPS4 CHAIN_STEPS4 CHAIN_STEPS4 \
        CHAIN_STEPS4
__kernel void ceiling_fma(
    __global ode_real *out, const int rounds, const ode_real a, const ode_real b) {
    const ode_real id = (ode_real)get_local_id(0);
    const ode_real4 a4 = (ode_real4)(a), b4 = (ode_real4)(b);
    CHAINS_ALL(CHAIN_BEGIN)
    for (int round = 0; round < rounds; round++) {
        CHAIN_STEPS32
    }
    const ode_real4 sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
    out[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}
