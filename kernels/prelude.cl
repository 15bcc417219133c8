/* SPDX-License-Identifier: BSD-2-Clause */
/* prelude.cl - first text of every program: the types of the run, and the floating-point contract.
   From the settings: ODE_DOUBLE, ODE_UNCACHED (0 or 1), ODE_INDEX (int or long, by the size of the
   system). */
#pragma OPENCL FP_CONTRACT OFF
#if ODE_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double ode_real;
typedef double2 ode_real2;
typedef double4 ode_real4;
#else
typedef float ode_real;
typedef float2 ode_real2;
typedef float4 ode_real4;
#endif
/* Where the state is. Volatile: no cache serves it, as in the measurements of the thesis of 2012,
 * ch. 7. */
#if ODE_UNCACHED
#define ODE_STATE __global volatile
#else
#define ODE_STATE __global
#endif
typedef ODE_INDEX ode_offset; /* the library's own arithmetic */
typedef long ode_index;       /* the author's: as in C, or products of indices would differ */
