/* choose_isa.h - put before each problem file of the tests (-include), so that a test can reach the code for every instruction set,
   and so that the copies of the built-in problems have names of their own: ode_definition.h expands the first part of each name. */
#ifndef CHOOSE_ISA_H
#define CHOOSE_ISA_H
int test_isa_allows(const char *feature);
#define __builtin_cpu_supports(feature) (test_isa_allows(feature) && __builtin_cpu_supports(feature))
#define ode_problem_ test_problem_
#define ode_text_ test_text_
#define ode_text_end_ test_text_end_
#endif
