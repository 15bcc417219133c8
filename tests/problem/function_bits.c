/* SPDX-License-Identifier: BSD-2-Clause */
/* function_bits.c - the functions of ode_math.h return the bits that are written here: by every
 * compiler and on every processor. `function_bits print` prints the table, for intended changes. */
#include "functions.h"
#include <stdio.h>

enum { ARGUMENTS = 20000 };

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
    {0x565f918571cb1fdb, 0xafd64f7a4997bfb4}, /* exp */
    {0x969488a46a468efa, 0x7e2cdd3ae88f662e}, /* exp2 */
    {0xb0052e2c357591db, 0xe7c0896dc99dfa59}, /* expm1 */
    {0xeedde117b5b73d06, 0x2b6deb15104ef093}, /* log */
    {0x73b60558528bb89a, 0x9fae40e07d0a3d09}, /* log2 */
    {0x6c69516711689d76, 0x1e6ee7d409be09b2}, /* log1p */
    {0x6b0cded05cf81455, 0xa5e59b4e5b39872a}, /* sin */
    {0x495c879bda5a2753, 0x0dff5c732689d3c7}, /* cos */
    {0x3024121167594758, 0xbd79034ee1aeb40a}, /* tan */
    {0x4385921e9c5e944c, 0x534348a1d9a37539}, /* sinh */
    {0x2a78048f63a837ed, 0xfb093abeadc265fd}, /* cosh */
    {0x00561c56fd175998, 0x90a07f274f8de0e8}, /* tanh */
    {0x673cdf3a30bd0905, 0xfdd90e99886006f8}, /* asin */
    {0x9f6938618f39d84c, 0x24a3411d1c8f8106}, /* acos */
    {0x1233b92a9cedade3, 0xb2c15fab8c9fc0de}, /* atan */
    {0x286a46fe41f748bc, 0x8c06a0e83e2668cd}, /* cbrt */
    {0x11f1e3306a3cec7c, 0xb9ff98bebc47e6de}, /* erf */
    {0x6ae6018ba75cc24b, 0x3bddb6dcbd093312}, /* atan2 */
    {0x47761ac9cfcba383, 0xcd1587dddf9b7def}, /* pow */
    {0x002a15bdbfcba997, 0x3f15c71983b0a7e9}, /* hypot */
    {0xfe98a2796cc2d8f1, 0xdbd91a952534cd52}, /* fmin */
    {0xd7dcc0245bb2a3f6, 0x15a9a2edfca0ef77}, /* fmax */
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
