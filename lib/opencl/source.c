/* opencl/source.c - the text of a program: settings + prelude + problem + forms + common kernels + one tiling. */
#include "config.h"
#include "runtime.h"
#include "embedded.h"
#include "../mem.h"
#include <stdio.h>
#include <string.h>

struct text {
    char *bytes;                   /* NULL in the first pass, which only counts */
    size_t size;
};

static void put(struct text *text, const void *bytes, size_t size) {
    if (text->bytes) memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

static void put_string(struct text *text, const char *string) { put(text, string, strlen(string)); }

/* #line, so that a compiler's message names the file that the reader knows. */
static void put_line(struct text *text, unsigned long line, const char *file) {
    char directive[64];
    snprintf(directive, sizeof directive, "#line %lu \"", line);
    put_string(text, directive);
    for (; *file; file++) {
        if (*file == '"' || *file == '\\') put(text, "\\", 1);
        put(text, file, 1);
    }
    put_string(text, "\"\n");
}

static void put_embedded(struct text *text, const char *name, const unsigned char *bytes, unsigned long size) {
    put_line(text, 1, name);
    put(text, bytes, size);
}

/* Whether a line is the #include of the plug-in header, which OpenCL cannot read. */
static int is_include(const char *line, const char *end) {
    static const char word[] = "include", header[] = "eulercl/ode_problem.h";
    while (line < end && (*line == ' ' || *line == '\t')) line++;
    if (line == end || *line++ != '#') return 0;
    while (line < end && (*line == ' ' || *line == '\t')) line++;
    if ((size_t)(end - line) < sizeof word - 1 || memcmp(line, word, sizeof word - 1)) return 0;
    for (line += sizeof word - 1; (size_t)(end - line) >= sizeof header - 1; line++)
        if (!memcmp(line, header, sizeof header - 1)) return 1;
    return 0;
}

static void put_problem(struct text *text, const struct ode_problem *definition) {
    unsigned long line = 1;
    put_line(text, line, definition->file);
    for (const char *p = definition->text; p < definition->text_end; line++) {
        const char *end = memchr(p, '\n', (size_t)(definition->text_end - p));
        end = end ? end + 1 : definition->text_end;
        if (is_include(p, end)) {
            put_embedded(text, "words.cl", eulercl_text_words, eulercl_text_words_size);
            put_line(text, line + 1, definition->file);
        } else {
            put(text, p, (size_t)(end - p));
        }
        p = end;
    }
    put_string(text, "\n");
}

int eulercl_cl_source(const struct ode_problem *definition, size_t real_size, int64_t largest_index, const char *name,
                      const unsigned char *kernels, unsigned long kernels_size, char **source, eulercl_error *error) {
    if (!definition->text) return eulercl_fail(error, EULERCL_UNSUPPORTED, "problem %s carries no text: it runs on the CPU only", definition->name);
    struct text text = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        char settings[128];
        snprintf(settings, sizeof settings, "#define ODE_DOUBLE %d\n#define ODE_INDEX %s\n", real_size == sizeof(double),
                 largest_index < INT32_MAX ? "int" : "long");
        text.size = 0;
        put_string(&text, settings);
        put_embedded(&text, "prelude.cl", eulercl_text_prelude, eulercl_text_prelude_size);
        put_problem(&text, definition);
        put_embedded(&text, "forms.cl", eulercl_text_forms, eulercl_text_forms_size);
        put_embedded(&text, "ode_forms.h", eulercl_text_ode_forms, eulercl_text_ode_forms_size);
        put_embedded(&text, "common.cl", eulercl_text_common, eulercl_text_common_size);
        put_embedded(&text, name, kernels, kernels_size);
        put(&text, "", 1);
        if (!pass && !(text.bytes = eulercl_mem_zeroed(text.size, 1))) return eulercl_fail(error, EULERCL_MEMORY, "no memory for the program's text");
    }
    *source = text.bytes;
    return EULERCL_OK;
}
