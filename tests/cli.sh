# The common part of the tests of the command; each reads it with `.`. It makes a folder for the test, finds out what this build can do, and counts checks.
# EULERCL names the command (default: cli/eulercl in the current folder). A test whose runs are all of one subcommand sets `subcommand`.
eulercl=${EULERCL:-$PWD/cli/eulercl}
[ -x "$eulercl" ] || { echo "no command at $eulercl (built without argp?)"; exit 77; }
sources=${EULERCL_TEST_SOURCES:-$(cd "$(dirname "$0")/../.." && pwd)}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/$(basename "$0" .sh).XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
failed=0
passed=0
subcommand=
# Problems are right with little optimization and for the plainest instruction set, too, and compile in a fifth of the time. -O0 would take the
# compiler longer, because it makes code of every copy of a function. all_kernels is a compiler for tests of the code for the other sets, without
# any optimization.
printf '#!/bin/sh\nexec cc "$@" -O1 -UODE_KERNELS_ONLY -DODE_KERNELS_ONLY=0\n' >cc && printf '#!/bin/sh\nexec cc "$@" -O0\n' >all_kernels && chmod +x cc all_kernels || exit 99
CC=$scratch/cc
all_kernels=$scratch/all_kernels
export CC
# The signal HUP; nothing where it is ignored, as under nohup, because no shell can take that back.
hup=$(exec 2>/dev/null; sh -c 'kill -HUP $$' || echo HUP)
can() { "$eulercl" "$@" >/dev/null 2>&1; }
# Most tests have problems of their own.
if "$eulercl" info none.c 2>&1 | grep -q -- --disable-compile; then echo "skipped: built without the part that compiles files"; exit 77; fi
can devices && opencl=yes || opencl=no
if [ -n "$EULERCL_REQUIRE_OPENCL" ] && [ "$opencl" = no ]; then echo "an OpenCL device is required"; exit 1; fi
# The backends that this build has, in their order.
backends=$(sed -n 's/^BACKEND("\([^"]*\)".*/\1/p' "$sources/lib/plan/backends.def")
[ "$opencl" = yes ] || backends=$(echo "$backends" | grep -v '^cl-')
can list --json && json=yes || json=no
can solve string --size 20 --steps 0 --out can.png && png=yes || png=no
can solve string --size 20 --steps 0 --out can.h5 && hdf5=yes || hdf5=no
rm -f can.*

# cases FEW MANY: how many random cases a test makes, by the level of the tests (see tests/local.mk).
case ${EULERCL_TEST_LEVEL-} in '' | long | all) ;; *) echo "EULERCL_TEST_LEVEL is neither long nor all"; exit 99 ;; esac
cases() {
    case ${EULERCL_TEST_CASES:+given}${EULERCL_TEST_LEVEL-} in
    given*) echo "$EULERCL_TEST_CASES" ;;
    long) echo $(($2 / 4 > $1 ? $2 / 4 : $1)) ;;
    all) echo "$2" ;;
    *) echo "$1" ;;
    esac
}
fail() { echo "FAIL: $*"; failed=$((failed + 1)); }
pass() { passed=$((passed + 1)); }
# check WHAT COMMAND...: the command ends with 0.
check() {
    what=$1
    shift
    if "$@" >checked 2>&1; then pass; else fail "$what: $(head -n 5 checked)"; fi
}
# A run that prints nothing; two files with the same bytes.
quiet() { check "solve $*" "$eulercl" solve -q "$@"; [ ! -s checked ] || fail "solve -q $*: $(cat checked)"; }
same() { check "$1 and $2 differ" cmp "$1" "$2"; }
# The last line of a test.
finish() { echo "$passed passed, $failed failed"; [ "$failed" -eq 0 ]; }

# expect CODE PATTERN ARGUMENTS...: exit code, and a pattern in the output (codes 0 and 1, what a comparison found) or in the error. An error is one line
# that begins "eulercl:", nothing else on stderr and nothing on stdout; code 8 may show the compiler's log after it, and check what it found before.
expect() {
    code=$1 pattern=$2
    shift 2
    # shellcheck disable=SC2086
    "$eulercl" $subcommand "$@" >out 2>err </dev/null
    got=$?
    what="eulercl $subcommand $*"
    if [ "$got" -ne "$code" ]; then fail "$what: exit $got, not $code: $(head -n 3 err) $(grep FAILS out)"; return; fi
    if [ "$code" -le 1 ]; then
        grep -q -- "$pattern" out || { fail "$what: no '$pattern' in: $(head -n 12 out)"; return; }
        [ ! -s err ] || [ "$code" -eq 1 ] || { fail "$what: $(cat err)"; return; }
    else
        head -n 1 err | grep -q -- "^eulercl: .*$pattern" || { fail "$what: no '$pattern' in: $(head -n 3 err)"; return; }
        [ "$(wc -l <err)" -eq 1 ] || [ "$code" -eq 8 ] || { fail "$what: more than one line: $(cat err)"; return; }
        [ ! -s out ] || [ "$1" = check ] || { fail "$what: output in spite of the error"; return; }
    fi
    pass
}
# found FILE PATTERN...: all are in the file.
found() {
    file=$1
    shift
    for pattern in "$@"; do
        if grep -q -- "$pattern" "$file"; then pass; else fail "no '$pattern' in $file: $(head -c 1500 "$file")"; fi
    done
}
