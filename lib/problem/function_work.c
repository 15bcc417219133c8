/* SPDX-License-Identifier: BSD-2-Clause */
/* function_work.c - see function_work.h. */
#include "config.h"
#include "function_work.h"
#include "time_factors.h"
#include <math.h>
#include <string.h>

double ecl_function_work_of(struct token word) {
    static const struct {
        const char *name;
        double work;
    } functions[] = {
#define FUNCTION(name, operands, work) {#name, work},
#include "functions.def"
#undef FUNCTION
    };
    static const char beginning[] = "ode_math_host_"; /* once in the words of a call */
    if (word.kind != TOKEN_WORD || !token_begins(word, beginning)) return 0;
    word.begin += strlen(beginning);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (token_is(word, functions[i].name)) return functions[i].work;
    return 1;
}

double ecl_function_work(const struct ode_problem *definition) {
    double work = 0;
    if (!definition->rhs) return 0;
    const char *const text = definition->rhs();
    struct lexer lexer = lexer_start(text, text + strlen(text));
    for (struct token token; (token = lexer_take(&lexer)).kind;)
        work += ecl_function_work_of(token);
    /* A call may stand in a macro, and the text has it more than once, or never. */
    return fmax(0, work - ecl_time_factor_work(definition));
}

struct text_work ecl_text_work(const struct ode_problem *definition) {
    struct text_work work = {.functions = ecl_function_work(definition)};
    if (!definition->rhs) return work;
    const char *const text = definition->rhs();
    struct lexer lexer = lexer_start(text, text + strlen(text));
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        work.remainders += token_is(token, "%");
        work.fields += token_is(token, "ode_field") || token_is(token, "ode_neighbour_field");
        work.has_marks |= token_is(token, "ode_marks");
    }
    return work;
}
