#!/bin/sh
# The rules of the house that can be counted (doc/architecture.md, doc/style.md): the place of the
# update formula, includes, the lengths of functions and lines. Without the sources' folder it is
# skipped.
cd "${EULERCL_TEST_SOURCES:-$(dirname "$0")/..}" || exit 99
[ -f lib/run/solver.c ] || { echo "the sources are not here"; exit 77; }
failed=0
# rule TEXT FINDINGS: fails when there are findings.
rule() {
    if [ -z "$2" ]; then echo "ok: $1"
    else
        echo "FAIL: $1:"
        printf '%s\n' "$2" | head -n 20
        failed=1
    fi
}
# at_most N TEXT FINDINGS: fails when there are more than N lines of findings.
at_most() {
    if [ "$(printf '%s\n' "$3" | grep -c .)" -le "$1" ]; then rule "$2: at most $1" ''; else rule "$2: at most $1" "$3"; fi
}
# files PATTERN... below the given folders
c_files() { find "$@" \( -name '*.c' -o -name '*.h' -o -name '*.cl' -o -name '*.cc' \) | sort; }
library=$(c_files lib include kernels)
code=$(c_files lib include kernels mpi cli tests bench examples)
# Problems are written as people write equations.
programs=$(printf '%s\n' "$code" | grep -v -e '^tests/problems/' -e '^cli/templates/' -e '^examples/')

# Problems of the tests and templates, which are for users, name no license.
rule 'a file begins with its license, its name and what it contains' "$(awk '
    FNR == 1 && $0 != "/* SPDX-License-Identifier: BSD-2-Clause */" { print FILENAME ":1" }
    FNR == 2 { name = FILENAME; sub(/.*\//, "", name); if (!match($0, /^\/\* [^ ]+ - /) || "/" $2 !~ "/" name "$") print FILENAME ":2" }
' $programs $(find lib -name '*.def'))"
rule 'no line has more than 100 columns' \
    "$(awk 'length > 100 { print FILENAME ":" FNR }' $programs $(find lib -name '*.def'))"
# A function begins with a line that ends in { and ends with the first } in column 1.
rule 'no function has more than 80 lines' "$(awk '
    FNR == 1 { start = 0 }
    /^[^ \t#\/}].*\{$/ || /^\) \{$/ { if (!/^(struct|enum|union|typedef|static const|const|extern)[^(]*\{$/) start = start ? start : FNR; else start = 0 }
    /^[a-z_A-Z].*[^;{]$/ && !start { begin = FNR }
    /^}/ { if (start && FNR - start >= 80) print FILENAME ":" start ": " FNR - start + 1 " lines"; start = 0 }
' $programs)"
rule 'the update formula stands in ode_update.h alone' \
    "$(grep -nE '(\bfma[f4]?\( *-?([a-z_]+(->|\.))?h\b|\bFMA\([a-z])' $library | grep -vE '/ode_update\.h:|:[0-9]+:(/| )\*')"
rule 'no file of the library, the command or the kernels has more than 600 lines' \
    "$(c_files lib cli kernels | xargs wc -l | awk '$1 > 600 && $2 != "total"')"
# Without comments, and without 1e9 and 1e-9, which turn nanoseconds into seconds.
rule 'numbers that are fitted to a machine stand in lib/machine alone' "$(awk '
    FNR == 1 { inside = 0 }
    {
        for (code = ""; length; inside = !inside) {
            at = index($0, inside ? "*/" : "/*")
            if (!inside) code = code (at ? substr($0, 1, at - 1) : $0)
            if (!at) break
            $0 = substr($0, at + 2)
        }
        gsub(/1e-?9/, "", code)
        if (code ~ /(^|[^0-9A-Za-z_.])[0-9]+(\.[0-9]|e-?[0-9])/) print FILENAME ":" FNR ":" code
    }' $(c_files lib/schedule))"
rule 'the OpenCL side knows no register kernel by name' \
    "$(grep -nE 'ecl_register_(line|plane|stream|pipeline)\b|REGISTER_ANY_' $(c_files lib/opencl))"
rule 'the core includes no engine, no schedule and no windows' \
    "$(grep -rnE '#include "(\.\./)*(cpu|opencl|schedule|windows)/' lib/*.c lib/*.h \
        lib/problem lib/method lib/tolerance lib/plan lib/run)"
at_most 12 'files of lib/ are in none of its rooms' "$(find lib -maxdepth 1 -type f)"
# lib/text.h has no more than inline functions on characters.
rule 'the command uses the public header alone' \
    "$(grep -nE '#include "(\.\./)*lib/' $(c_files cli) | grep -v '"lib/text\.h"')"
rule 'only lib/opencl/runtime.c creates OpenCL objects' \
    "$(grep -nE '\bcl(Create|Build)[A-Z][A-Za-z]*\(' $(c_files lib/opencl) | grep -v '^lib/opencl/runtime\.c:')"

# Grid code defines words and forms for any number of axes. Besides, a file whose name has a rank may count axes.
at_most 0 'only grid code counts axes' "$(grep -nE \
    '(grid|info)(\.|->)rank *([=!<>]=|[<>]) *[0-9]|ODE_GRID *([=!<>]=|[<>]) *[0-9]|\b(extents|global|origin)\[[1-9]\]' \
    $(c_files lib cli include kernels) | grep -vE '^lib/problem/grid\.|^include/eulercl/detail/ode_(engine|words|coefficients|forms|lanes|definition|cpu)\.h|^cli/format/state\.c|^include/eulercl/(ode_problem|eulercl)\.h|[^:]*(line|plane|volume)[^:]*:')"
rule 'boundary rules are compared in ode_boundary.h alone' "$(grep -nE \
    '([=!]=|[<>]) *ODE_(FIXED|CLAMP|MIRROR|PERIODIC|ROBIN)\b|ODE_(FIXED|CLAMP|MIRROR|PERIODIC|ROBIN) *[=!]=|ODE_BOUNDARY *[=!]=' \
    $(c_files lib cli include kernels) | grep -v '^include/eulercl/detail/ode_boundary\.h')"
# Words of authors are explained in ode_problem.h.
rule 'private macros of the headers end in _' "$(
    sed -nE 's/^ *# *define (ODE_[A-Za-z0-9_]*[A-Za-z0-9])([^A-Za-z0-9_].*|$)/\1/p' include/eulercl/detail/*.h |
        sort -u | while read -r macro; do grep -qw "$macro" include/eulercl/ode_problem.h include/eulercl/ode_abi.h || echo "$macro"; done)"
# The command and the public header read the table, so a row is all that a new parameter needs there.
rule 'tuning parameters of one schedule are named where they are used alone' "$(
    for key in $(sed -nE 's/^TUNING\(([a-z_]+),.*/\1/p' lib/plan/tuning.def); do
        case $key in variant | threads | pin_threads | workgroup_size | steps_per_launch | dia_blocks) continue ;; esac
        grep -rnw "$key" $(c_files cli include) packaging
    done)"

if clang-format-14 --version >/dev/null 2>&1; then
    rule 'clang-format changes nothing' "$(clang-format-14 -n $programs 2>&1 | grep ' warning: ')"
else echo "clang-format 14 is not installed: the style is not compared"
fi
[ $failed -eq 0 ]
