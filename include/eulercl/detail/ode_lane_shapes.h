/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_lane_shapes.h - the shapes of stages that have code in SIMD lanes.
 *
 * lib/method/lane_shapes.c makes it from the methods: `make lane-shapes`. A shape is a
 * number, whether the stage is in place, and of U, P1 and P2 the terms and those of
 * them that have the coefficient 1, as bits: U, P1, P2, P3, h b F. A component without
 * terms remains, and so does P3. Number 0 is the shape of Euler steps. Each shape takes
 * time to compile. */
/* clang-format off */
#define ODE_LANE_SHAPES_(SHAPE) \
    SHAPE(0, 0, 17, 1, 0, 0, 0, 0) /* euler */ \
    SHAPE(1, 0, 17, 1, 1, 1, 0, 0) /* midpoint */ \
    SHAPE(2, 0, 17, 1, 17, 1, 0, 0) /* heun */ \
    SHAPE(3, 0, 18, 2, 0, 0, 0, 0) /* midpoint */ \
    SHAPE(4, 0, 18, 2, 0, 0, 1, 1) /* rk4 */ \
    SHAPE(5, 0, 18, 2, 0, 0, 21, 0) /* rk4 */ \
    SHAPE(6, 0, 20, 4, 0, 0, 0, 0) /* rk4 */ \
    SHAPE(7, 0, 18, 2, 19, 0, 0, 0) /* midpoint */ \
    SHAPE(8, 0, 19, 0, 0, 0, 0, 0) /* ssprk33 */ \
    SHAPE(9, 0, 19, 1, 0, 0, 0, 0) /* ck54 */ \
    SHAPE(10, 1, 3, 1, 16, 0, 0, 0) /* ck54 */ \
    SHAPE(11, 1, 3, 1, 18, 2, 0, 0) /* ck54 */ \
    SHAPE(12, 0, 22, 2, 0, 0, 0, 0) /* rock2 */ \
    SHAPE(13, 1, 5, 5, 5, 1, 16, 0) /* rock2 */ \
    SHAPE(14, 1, 5, 1, 6, 2, 20, 4) /* rock2 */ \
    SHAPE(15, 1, 7, 1, 6, 2, 28, 4) /* rkl2 */ \
    SHAPE(16, 1, 5, 1, 6, 2, 28, 4) /* rkl2 */ \
    SHAPE(17, 0, 31, 1, 0, 0, 0, 0) /* rkl2 */ \
    SHAPE(18, 0, 17, 1, 17, 1, 17, 1) /* rock4 */ \
    SHAPE(19, 0, 1, 1, 0, 0, 0, 0) /* dp54 */ \
    SHAPE(20, 0, 22, 2, 0, 0, 23, 0) /* rock2 */ \
    SHAPE(21, 0, 24, 8, 0, 0, 0, 0) /* dp54 */
/* clang-format on */
