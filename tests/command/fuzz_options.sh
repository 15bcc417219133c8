#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Random command lines. The options are those that each subcommand's --help lists; the values are valid, at a boundary, or garbage. Whatever is asked for, the command
# ends soon, by itself, with one of its exit statuses and at most one line of error; and where `eulercl solve` succeeds, its bits are those of `seq`.
# A failure prints the command line, which goes below if it was a fault of the command.
. "$(dirname "$0")/../cli.sh"

XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
"$eulercl" solve string --size 50 --steps 10 --out in.npy -q || exit 99
[ "$hdf5" = no ] || "$eulercl" solve string --size 50 --steps 10 --h 1e-3 --checkpoint in.h5 -q || exit 99
[ "$hdf5" = no ] || "$eulercl" solve string --size 50 --steps 10 --tol 1e-3 --checkpoint tol.h5 -q || exit 99
head -c 200 in.npy >cut.npy
echo nonsense >garbage.h5
mkdir folder
plugins=
for name in forced_wave heat_fields; do
    [ ! -r "${EULERCL_TEST_PLUGINS-}/$name.so" ] || plugins="$plugins $EULERCL_TEST_PLUGINS/$name.so"
done

# The options of every subcommand: subcommand, name, argument.
subcommands='solve info compare check list devices wisdom new'
for sub in $subcommands; do
    "$eulercl" "$sub" --help | awk -v command="$sub" 'match($0, /^ +(-[a-zA-Z], )?--[a-z0-9-]+(=[^ ]+)?/) {
        word = substr($0, RSTART, RLENGTH); sub(/^.*--/, "", word); name = word; sub(/=.*/, "", name)
        print command, name, name == word ? "-" : substr(word, length(name) + 2)
    } /^  -p NAME=VALUE/ { print command, "p", "NAME=VALUE" }' || exit 99
done >options
[ "$(grep -c '^solve ' options)" -gt 40 ] || fail "few options are found in --help: $(cat options)"

# draw COUNT: draw command lines, their words quoted for eval. Each has - before it, or the words that a run by `seq` shares with it.
draw() {
    awk -v count="$1" -v seed="${EULERCL_TEST_SEED:-2012}" -v plugins="$plugins" -v opencl="$2" -v json="$json" '
    function below(n) { state = (state * 69069 + 12345) % 4294967296; return int(state / 4294967296 * n) }      # exact in double
    function pick(list,  words, n) { n = split(list, words, " "); return words[1 + below(n)] }
    function quoted(word) { return "\047" word "\047" }
    # A valid value or one at a boundary; runs stay short: no small step to a late time, no large system.
    function value(name) {
        if (name in good) return pick(good[name])
        return pick("1 2 7 16")
    }
    function garbage(name) {
        if (name in bad && below(2)) return pick(bad[name])
        return waste[below(wastes)]
    }
    BEGIN {
        state = seed % 4294967296
        good["p"] = "m=5 m=2 points=30 points=1 alpha=1e-3 K=2 A=0 K=-1e9 B=1e9"
        good["size"] = "50 72 98 200 2 1"
        good["backend"] = "seq cpu pthreads auto cpu pthreads"
        good["backends"] = "seq seq,cpu cpu:lanes,cpu:tiles pthreads:threads=2 seq,pthreads:all"
        if (opencl == "yes") {
            good["backend"] = good["backend"] " cl-linear cl-row-diamond cl-column-diamond cl-honeycomb cl-register"
            good["device"] = "cpu 0:0"
        } else good["device"] = bad["device"] = "9:9 nonsense,"
        good["baseline"] = "seq cpu pthreads:threads=1"
        good["variant"] = "lanes tiles auto barrier vector scalar group"
        good["method"] = "euler rk4 rkl2 rock2 verlet heun"
        good["methods"] = "euler rk4,rkl2:5 verlet,euler"
        good["flush-below"] = "0 1e-12 1e-3 1e300"
        good["stages"] = "1 2 4 10 200 100000"
        good["precision"] = "float double"
        good["precisions"] = "float double float,double"
        good["threads"] = "1 2 3 64"
        good["steps"] = "0 1 2 17 100 1000"
        good["h"] = "1e-4 1e-3 0.01 auto 1e300 1e-300"
        good["t-end"] = "0 0.01 0.1 1e-300"
        good["t0"] = "0 0.5 -1 1e6"
        good["plan"] = "auto estimate"
        good["distribution"] = "mult add corr auto"
        good["storage"] = "local global column"
        good["wisdom"] = "wisdom \"\" folder"
        good["in"] = "in.npy in.h5 in.h5:state in.h5:nothing cut.npy garbage.h5 missing.npy folder"
        good["field"] = "depth=in.npy x"
        good["resume"] = "in.h5 tol.h5 garbage.h5 missing.h5"
        good["reference"] = "in.npy missing.npy"
        good["out"] = "out.npy out.h5 out.png out.csv out-%d.npy out-%d.png folder nowhere/out.npy out.xyz"
        good["csv"] = good["report"] = "table.csv page.html folder nowhere/x.csv"
        good["checkpoint"] = "checkpoint.h5 nowhere/checkpoint.h5 folder"
        good["checkpoint-every"] = "10 t=0.01 1000s"
        good["every"] = "10 1 1000000 step t=0.01 t=1e-20"
        good["wall-time"] = "100 00:01:00"
        good["probe"] = "0 0,1,2 49 4999999"
        good["monitor"] = "min,max mean:0 l2,rms linf:1 l1 histogram:0:9:0:1,max euler:0:0.5 length:0 front:0:1 correlation:0:3"
        good["component"] = "0 1 2"
        good["range"] = "0,1 -1,1 1,0"
        good["sizes"] = "50 50,72"
        good["steps-list"] = "1,2,3"
        good["h-list"] = "0.1,0.05"
        good["tol"] = "1e-2 1e-3,1e-5"
        good["tols"] = "1e-2,1e-3"
        good["steady"] = "1e-9 0.1 1e300"
        good["max-steps"] = "1 100"
        good["controller"] = "pi i h211b"
        good["sweep"] = "threads=1,2 m=3,4 nothing=1"
        good["runs"] = "1 2"
        good["boundary"] = "fixed clamp mirror periodic"
        good["grid"] = "1 2"
        good["components"] = "1 2 64"
        bad["p"] = "m points= =5 nothing=1 m=1e99 K=nan m=1.5"
        bad["t-end"] = "inf -inf"
        bad["sizes"] = "50, ,50 50,,50 0"
        bad["every"] = "t= t=x t=-1 t=nan 0"
        bad["out"] = ".npy - out-%d-%d.npy out-%s.npy out-%99999d.npy"
        # No finite number above 0 but small: one that is valid somewhere must not make a run long.
        wastes = split("|0|-1|-0|nan|inf|1e999|99999999999999999999|x|1x|1e|0x|:|,|=|%d|%n%s|-|--|../..|1,|" \
                       "\303\244|\303|\033[31mred|two words|two\nlines|t=|s|-1s|1:2:3:4|1e-400|\"|$(touch owned)|`touch owned`|;touch owned", waste, "|")
        for (i = 1; i <= wastes; i++) waste[i - 1] = waste[i]
        # The whole commands that are drawn from: most are runs.
        whole = "solve solve solve solve solve solve solve solve solve info compare list wisdom new"
        if (opencl == "yes") whole = whole " check devices"
    }
    { names[$1, counts[$1]++] = $2; has_argument[$1, $2] = $3 != "-" }
    END {
        for (c = 0; c < count; c++) {
            sub_name = pick(whole)
            line = sub_name; shared = ""
            problem = "string"
            if (below(2)) problem = pick("bruss2d string string" plugins)
            if (!below(25)) problem = waste[below(wastes)]
            if (sub_name == "wisdom") line = line " " quoted(pick("show path forget export import nonsense"))
            else if (sub_name == "new") line = line " " quoted(pick("fresh int 1x x"))
            else if (sub_name != "list" && sub_name != "devices") { line = line " " quoted(problem); shared = quoted(problem) }
            if (!below(20)) line = line " " quoted(waste[below(wastes)])
            # Small systems, few steps, CPU backends, unless what is drawn below says otherwise.
            if (sub_name == "compare") line = line " --size 50 --steps 10 --backends seq,cpu"
            if (sub_name == "solve" && below(5)) { size = " --size " pick("50 72 98 200"); line = line size; shared = shared size }
            json_asked = kernel = aloud = 0
            split("", used)
            # Steps to a tolerance, with snapshots within them.
            if (sub_name == "solve" && !below(6)) {
                line = line " --tol 1e-3 --t-end 0.1"; shared = shared " --tol 1e-3 --t-end 0.1"
                used["tol"]; used["t-end"]
                if (below(2)) { line = line " --dense --every t=0.01 --out out.csv"; used["dense"]; used["every"] }
            }
            for (n = below(6); n > 0; n--) {
                name = names[sub_name, below(counts[sub_name])]
                # Most tuning parameters are not of the backend that is drawn, which is an error.
                if ((!(name in good) || name ~ /^(variant|threads|distribution|storage)$/) && below(8)) continue
                if (name == "help" || name == "json" || (name in used && below(8)) || (name == "steps" && ("t-end" in used)) || (name == "plan" && !below(2))) continue
                used[name]
                word = (name == "p" ? "-p" : "--" name)
                if (has_argument[sub_name, name]) {
                    v = below(5) ? value(name) : garbage(name)
                    word = word " " quoted(v == "\"\"" ? "" : v)
                }
                line = line " " word
                if (name ~ /^(p|size|h|steps|t-end|t0|tol|h0|h-max|max-steps|controller|spectral-radius|steady|method|stages|precision|flush-below|in|resume)$/) shared = shared " " word
                if (name == "print-kernel") kernel = 1
                if (name == "verbose") aloud = 1
            }
            # Times that are hit exactly are among the steps to a tolerance.
            is_cut = ("tol" in used || "resume" in used) && ("checkpoint-every" in used || ("every" in used && !("dense" in used)))
            if (json == "yes" && sub_name == "solve" && !kernel) { line = line " --json"; json_asked = 1 }
            gsub(/\n/, "\\n", line); gsub(/\n/, "\\n", shared)
            print json_asked && !is_cut ? shared : "-"
            print aloud " " line
        }
    }' options
}

hash_of() { sed -n 's/.*"state_hash": "\([0-9a-f]*\)".*/\1/p' "$1"; }

# One command line: `shared` and `line` are words for eval, `aloud` is 1 where more than errors may be said.
try() {
    rm -rf cache wisdom out[.-]* table.csv page.html checkpoint.h5* fresh.c int.c x.c
    eval "set -- $line"
    what="eulercl $line"
    timeout 300 "$eulercl" "$@" >out 2>err </dev/null
    got=$?
    case $got in
    0) ;;
    2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 130)
        [ "$aloud" = 1 ] || [ "$(grep -c '^eulercl: ' err)" -eq 1 ] || { fail "$what: not one line of error: $(cat err)"; return; }
        [ "$aloud" = 1 ] || [ "$got" -eq 8 ] || [ "$(wc -l <err)" -eq 1 ] || { fail "$what: more than a line of error: $(cat err)"; return; }
        ;;
    124) fail "$what: did not end"; return ;;
    *) fail "$what: exit status $got: $(head -c 1000 err)"; return ;;
    esac
    if grep -q "$(printf '\033')" out err; then fail "$what: an escape sequence comes out"; return; fi
    if [ -e owned ]; then rm -f owned; fail "$what: a shell read an argument"; return; fi
    if [ "$got" -eq 0 ] && [ "$shared" != - ]; then
        hash=$(hash_of out)
        eval "set -- $shared"
        timeout 300 "$eulercl" solve "$@" --backend seq --json >out 2>err </dev/null
        if [ -z "$hash" ] || [ "$hash" != "$(hash_of out)" ]; then fail "$what: hash '$hash', by seq '$(hash_of out)' $(head -c 500 err)"; return; fi
        compared=$((compared + 1))
    fi
    pass
}

newline='
'
escape=$(printf '\033')
# Each of these once failed: 1 where more than errors may be said, and the words.
shared=-
while read -r aloud line; do try; done <<'END'
0 solve string --size 50 --plan -- --points-per-item "two${newline}lines"
0 solve string --size 50 --dia-blocks "two${newline}lines" --threads 0
0 new x --components "two${newline}lines"
0 info bruss2d "${escape}[31mred" --size 98
0 solve string --size 50 --steps "${escape}[31mred"
0 solve string --size 50 --every t=1e-20 --monitor max --out out.csv
END
compared=0
number=$(cases 40 1000)
draw "$number" "$([ -z "${EULERCL_TEST_LEVEL-}" ] && echo no || echo "$opencl")" >lines || exit 99
while read -r shared && read -r aloud line; do
    line=$(printf '%s\n' "$line" | sed "s/\\\\n/'\"\$newline\"'/g") shared=$(printf '%s\n' "$shared" | sed "s/\\\\n/'\"\$newline\"'/g")
    try
done <lines
if [ "$json" = yes ] && [ "$number" -ge 40 ] && [ "$compared" -lt $((number / 20)) ]; then fail "only $compared of $number lines were compared with seq"; fi
echo "$number lines, $compared compared with seq"
finish
