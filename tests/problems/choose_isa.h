/* choose_isa.h - put before each problem file of the tests (-include), so that a test can reach the code for every instruction set,
   and so that the copies of the built-in problems have names of their own. */
#ifndef CHOOSE_ISA_H
#define CHOOSE_ISA_H
int test_isa_allows(const char *feature);
#define __builtin_cpu_supports(feature) (test_isa_allows(feature) && __builtin_cpu_supports(feature))
#define ode_problem_bruss2d test_copy_of_bruss2d
#define ode_text_bruss2d test_text_of_bruss2d
#define ode_text_end_bruss2d test_text_end_of_bruss2d
#define ode_problem_string test_copy_of_string
#define ode_text_string test_text_of_string
#define ode_text_end_string test_text_end_of_string
#endif
