/* SPDX-License-Identifier: BSD-2-Clause */
/* function_bits.c - the functions of ode_math.h return the bits that are written here: by every
 * compiler and on every processor. `function_bits print` prints the table, for intended changes. */
#include "functions.h"
#include <stdio.h>

enum { ARGUMENTS = 100000 };

/* Of the results' bits (G. Fowler, L. Noll, P. Vo 1991, by words), where all NaNs are one. */
static uint64_t mixed(uint64_t hash, uint64_t bits) { return (hash ^ bits) * 0x100000001b3u; }

#define CALL1(name, S, x, y) ode_math_##name##_##S(x)
#define CALL2(name, S, x, y) ode_math_##name##_##S(x, y)
#define HASH(name, S, REAL, CALL)                                            \
    static uint64_t hash_##name##_##S(void) {                                \
        uint64_t state = 2012, hash = 0xcbf29ce484222325u;                   \
        for (int k = 0; k < ARGUMENTS; k++) {                                \
            const REAL x = math_argument_##S(&state, k & 1);                 \
            const REAL y = math_argument_##S(&state, k & 2);                 \
            const REAL z = CALL(name, S, x, y);                              \
            (void)y;                                                         \
            hash = mixed(hash, z == z ? (uint64_t)ode_math_bits_##S(z) : 1); \
        }                                                                    \
        return hash;                                                         \
    }
#define ONE(name, ulp32, ulp64) HASH(name, f32, float, CALL1) HASH(name, f64, double, CALL1)
#define TWO(name, ulp32, ulp64) HASH(name, f32, float, CALL2) HASH(name, f64, double, CALL2)
MATH_FUNCTIONS(ONE, TWO)

static const struct {
    const char *name;
    uint64_t (*f32)(void), (*f64)(void);
} functions[] = {
#define ROW(name, ulp32, ulp64) {#name, hash_##name##_f32, hash_##name##_f64},
    MATH_FUNCTIONS(ROW, ROW)};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* clang-format off */
static const uint64_t expected[FUNCTIONS][2] = {
    {0x1166021144f3e66a, 0xb05cd9116225742c}, /* exp */
    {0xd9b7ed870f75a6ff, 0x8ba37c64f7d101cc}, /* exp2 */
    {0xeab5b21029f02464, 0x7b0d0c0fdcc2c531}, /* expm1 */
    {0x7c2ace69abf1c06c, 0xc4421c19182d278c}, /* log */
    {0xcd3631f10d3e2e4c, 0x3e31e33f6378c950}, /* log2 */
    {0xdd81d87d18dafee9, 0x80d5e318683f6fdd}, /* log1p */
    {0x76982dfc9e75b08f, 0xf25b20ff113593e9}, /* sin */
    {0x7264a5e2c0036f80, 0x73c48fe7090bba95}, /* cos */
    {0x1de7ba312cdb8312, 0x3e426427738c3467}, /* tan */
    {0x1ce786e52eab65a6, 0x071da1d3d3491c86}, /* sinh */
    {0x04fc977080403e9e, 0xed5e45de38f8d617}, /* cosh */
    {0x25b414d450e3e249, 0x314c4b4a241261c9}, /* tanh */
    {0x14122875188a8fbc, 0xe13596e11c02639a}, /* asin */
    {0x0db800c95971062a, 0xf5c3be9b8188bf46}, /* acos */
    {0xcdcb190b12b1920d, 0x1ab91e6f0e9ae060}, /* atan */
    {0xe168a979d21c9910, 0xe7446795a03a3221}, /* cbrt */
    {0x240e67ec98dfe26f, 0x8439d1a95d1beac8}, /* erf */
    {0x822e2ce392a3264b, 0x0790060cf9a14032}, /* atan2 */
    {0xe2b66e0a25b90a49, 0x66c563a282887047}, /* pow */
    {0xbcd25be39fea0562, 0xef4474f8b827a01c}, /* hypot */
    {0xcaf34911361a24ce, 0x466cd8be16b4751e}, /* fmin */
    {0xb069b3d24ea08182, 0xad5aa130a6d2545c}, /* fmax */
};
/* clang-format on */

int main(int argc, char **argv) {
    int failed = 0;
    (void)argv;
    for (int k = 0; k < FUNCTIONS; k++) {
        const uint64_t f32 = functions[k].f32(), f64 = functions[k].f64();
        if (argc > 1) {
            printf("    {0x%016llx, 0x%016llx}, /* %s */\n", (unsigned long long)f32,
                (unsigned long long)f64, functions[k].name);
        } else if (f32 != expected[k][0] || f64 != expected[k][1]) {
            printf("%s has other bits in%s%s\n", functions[k].name,
                f32 != expected[k][0] ? " float" : "", f64 != expected[k][1] ? " double" : "");
            failed = 1;
        }
    }
    return failed;
}
