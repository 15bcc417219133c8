#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""taken.py - print lib/problem/taken.def: the names that have a meaning for the compilers of a problem, so
that no parameter can have them. GCC and clang say what they are:

    python3 lib/problem/taken.py >lib/problem/taken.def          # in the sources' folder; about a minute

A macro is taken if a variable of that name does not compile; macros of standard headers are taken
in a file that includes them. Words are tried one by one: those of the standards below, of which the
compilers accept some that others do not, and all that OpenCL's header declares as types."""
import re
import subprocess

# C11 (ISO/IEC 9899:2011, 6.4.1) with GNU's words, C++ (a problem may be compiled as C++ one day).
C_WORDS = """auto break case char const continue default do double else enum extern float for goto if inline int
long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
asm typeof""".split()
# The OpenCL C Specification, version 1.2, sec. 6.1.1, 6.1.3, 6.1.4, 6.1.9, and words of later versions.
CL_WORDS = """bool half ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t true false
image1d_t image1d_array_t image1d_buffer_t image2d_t image2d_array_t image3d_t sampler_t event_t quad complex
imaginary global local constant private generic kernel read_only write_only read_write uniform pipe
vec_step""".split() + [
    f"{kind}{count}" for kind in "bool char short ushort int uint long ulong half float double quad".split()
    for count in (2, 3, 4, 8, 16)] + [f"{kind}{n}x{m}" for kind in ("float", "double")
                                      for n in (2, 3, 4, 8, 16) for m in (2, 3, 4, 8, 16)]
HEADERS = """assert complex ctype errno fenv float inttypes iso646 limits locale setjmp signal stdarg stdatomic
stdbool stdio stdlib tgmath time wchar wctype unistd""".split()
C = [["gcc", "-std=gnu11", "-Iinclude"], ["clang", "-std=gnu11", "-Iinclude"]]
CL = [["clang", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header"]]
PROBLEM = """#define ODE_NAME taken
#define ODE_TITLE ""
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_NX 1
#include <eulercl/ode_problem.h>
"""
# Whole families, which lib/problem/names.c knows by their beginnings (the last ones are macros of PoCL), and names that only one compiler's extensions define.
FAMILIES = re.compile(r"_|ODE_|ode_|eulercl|EULERCL|CLK_|CL_|cl_|cles_|CLANG_|POCL_")


def run(command, text):
    return subprocess.run([*command, "-"] if "-x" in command else [*command, "-x", "c", "-"], input=text,
                          capture_output=True, text=True)


def macros(command, text):
    """Return the names that the preprocessor replaces, but for those with arguments."""
    found = run([*command, "-dM", "-E"], text).stdout
    return {name for name in re.findall(r"^#define (\w+)(?: |$)", found, re.M) if not FAMILIES.match(name)}


def refused(command, text, names):
    """Return the names that no variable can have."""
    def refuses(some):
        body = "".join(f"{{ const float {name} = 1; (void){name}; }}\n" for name in some)
        return run([*command, "-w", "-fsyntax-only"], f"{text}\nvoid f(void) {{\n{body}}}\n").returncode != 0

    def search(some):
        if not some or not refuses(some):
            return set()
        half = len(some) // 2
        return set(some) if len(some) == 1 else search(some[:half]) | search(some[half:])
    return search(sorted(names))


taken = {}
for what, commands, text, words in (("C", C, PROBLEM, C_WORDS), ("OpenCL C", CL, "", CL_WORDS)):
    for command in commands:
        for name in refused(command, text, macros(command, text)):
            taken.setdefault(name, f"a macro of {what}")
    # The standards reserve all of their words, also where one compiler does not mind.
    for name in words:
        taken.setdefault(name, f"a word of {what}")
rows = [f'TAKEN({name}, "", "{what}")' for name, what in taken.items()]
for header in HEADERS:
    text = f"#include <{header}.h>\n"
    found = set()
    for command in C:
        found |= refused(command, text, macros(command, text) - set(taken))
    rows += [f'TAKEN({name}, "{header}.h", "a macro of C")' for name in found]
print("/* SPDX-License-Identifier: BSD-2-Clause */")
print("/* taken.def - names that have a meaning for the compilers of a problem: name, the header in which")
print("   it has it (\"\": in every problem), what it is. lib/problem/taken.py wrote this file. */")
print("/* clang-format off */")
print("\n".join(sorted(rows)))
