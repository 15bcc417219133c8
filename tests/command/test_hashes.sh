#!/bin/sh
# The final states of tests/command/hashes.txt: every backend, variant and kind of tile on problems of each form, with and without t and fields. The other tests hold
# backends against each other; this one holds them against the bits of an earlier library. `make check` runs every eleventh line of the CPU
# backends, `make check-long` every third line of all.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"
can solve string --size 20 --steps 0 --backend seq || { echo "the command cannot solve"; exit 1; }
"$eulercl" solve string --size 20 --steps 0 | grep -q '^hash' || { echo "skipped: built without xxHash"; exit 77; }
wanted=$(cases 31 110) number=0 unsupported=0 all=$(grep -vc '^#' "$sources/tests/command/hashes.txt")
[ "${EULERCL_TEST_LEVEL-}" != all ] || wanted=$all
every=$(((all + wanted - 1) / wanted))
while read -r hash problem arguments; do
    case $hash in '#'*) continue ;; esac
    case $arguments in *"backend cl-"*) [ -n "${EULERCL_TEST_LEVEL-}" ] && [ "$opencl" = yes ] || continue ;; esac
    number=$((number + 1))
    [ $((number % every)) -eq 0 ] || continue
    case $problem in */*) problem=$sources/$problem ;; esac
    # shellcheck disable=SC2086
    "$eulercl" solve "$problem" $arguments >out 2>err </dev/null
    status=$?
    if [ $status -eq 4 ]; then
        echo "unsupported by this device: $problem $arguments: $(cat err)"
        unsupported=$((unsupported + 1))
    elif [ "$(sed -n 's/^hash *//p' out)" = "$hash" ]; then
        pass
    else
        fail "$problem $arguments: exit $status, $(grep '^hash' out), not $hash: $(cat err)"
    fi
done <"$sources/tests/command/hashes.txt"
[ $unsupported -lt 20 ] || fail "$unsupported configurations are unsupported"
[ "$passed" -ge 3 ] || fail "only $passed states were compared"
finish
