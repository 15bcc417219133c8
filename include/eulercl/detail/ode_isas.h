/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_isas.h - the instruction sets that the CPU code of a problem is compiled for, as a table.
 *
 * A row is ODE_ISA_word_(ROW), which gives ROW(word, name, bytes of a vector, vector registers,
 * attribute of its functions). The number of a row is that of ODE_KERNELS_ONLY and of
 * ode_best_kernels. */
/* clang-format off */
#if defined(__x86_64__)
#define ODE_ISA_plain_(ROW)  ROW(plain, "x86-64", 16, 16, )
#else
#define ODE_ISA_plain_(ROW)  ROW(plain, "plain", 16, 32, )
#endif
#define ODE_ISA_avx2_(ROW)   ROW(avx2, "avx2", 32, 16, \
    __attribute__((target("avx2,fma,bmi,bmi2"))))
#define ODE_ISA_avx512_(ROW) ROW(avx512, "avx512", 64, 32, \
    __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi,bmi2"))))
#if defined(__x86_64__)
#define ODE_ALL_ISAS_(ROW) ODE_ISA_plain_(ROW) ODE_ISA_avx2_(ROW) ODE_ISA_avx512_(ROW)
#else
#define ODE_ALL_ISAS_(ROW) ODE_ISA_plain_(ROW)
#endif
/* clang-format on */

/* Whether this file is compiled for the row. */
#if !defined(__x86_64__)
#define ODE_HAVE_(number) ((number) == 0)
#elif defined(ODE_KERNELS_ONLY)
#define ODE_HAVE_(number) ((number) == ODE_KERNELS_ONLY)
#else
#define ODE_HAVE_(number) 1
#endif

/* The columns of a row. */
#define ODE_ISA_WORD_(word, name, bytes, registers, target) word
#define ODE_ISA_BYTES_(word, name, bytes, registers, target) bytes
#define ODE_ISA_REGISTERS_(word, name, bytes, registers, target) registers
#define ODE_ISA_TARGET_(word, name, bytes, registers, target) target

/* What code that is not made for each instruction set may use. */
#if defined(__x86_64__) && defined(ODE_KERNELS_ONLY) && ODE_KERNELS_ONLY == 2
#define ODE_COMMON_TARGET_ ODE_ISA_avx512_(ODE_ISA_TARGET_)
#elif defined(__x86_64__) && defined(ODE_KERNELS_ONLY) && ODE_KERNELS_ONLY == 1
#define ODE_COMMON_TARGET_ ODE_ISA_avx2_(ODE_ISA_TARGET_)
#else
#define ODE_COMMON_TARGET_
#endif
