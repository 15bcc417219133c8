#!/bin/sh
# eulercl compare: tables, JSON, CSV, sweeps and their plots, the page, references by eulercl-reference, what is refused and how.
. "$(dirname "$0")/../cli.sh"
subcommand=compare
# All backends under the layer of fault_layer.c, which ends a command whose kernels write outside a buffer.
if [ -f "${EULERCL_TEST_LAYER-}" ]; then OPENCL_LAYERS=$EULERCL_TEST_LAYER; export OPENCL_LAYERS; fi
# Plots and pages need Jansson and Python; plots need gnuplot, too. A folder has Python, but not gnuplot.
mkdir python nothing
ln -s "$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)" python/python3
[ "$json" = yes ] && PATH=$scratch/python python3 -c '' 2>/dev/null && pages=yes || pages=no
[ "$pages" = yes ] && gnuplot --version >/dev/null 2>&1 && gnuplot=yes || gnuplot=no
backends=$("$eulercl" list | sed -n '/^Backends/,/^$/s/^  \([^ ]*\) .*/\1/p')

# column FILE NAME: its fields, one a line.
column() { grep -v '^#' "$1" | awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'; }
# is WORDS WORDS: the same.
is() { if [ "$1" = "$2" ]; then pass; else fail "'$1' is not '$2'"; fi; }
# well_formed FILE.html: as XML, and nothing in it is fetched from elsewhere.
well_formed() {
    if command -v xmllint >/dev/null; then
        xmllint --noout "$1" 2>err && pass || fail "$1: $(head -n 3 err)"
    elif command -v python3 >/dev/null; then
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" 2>err && pass || fail "$1: $(tail -n 1 err)"
    fi
    if tr '<' '\n' <"$1" | grep -E "(src|href)=[\"'][^\"'#]" | grep -vE "(src|href)=[\"']data:"; then fail "$1 is not complete in itself"; else pass; fi
    ! grep -qi '<script\|@import\|url(http' "$1" && pass || fail "$1 has a script or fetches something"
    ids=$(grep -o " id=[\"'][^\"']*" "$1" | sort | uniq -d)
    is "$ids" ''
}

expect 0 Usage --help
# --- all backends: a row each, sorted by time, all bits equal
for problem in 'string --size 400' 'bruss2d -p m=12'; do
    # shellcheck disable=SC2086
    expect 0 '^backend  *reals  *kernel  *total  *Gcs/s  *ratio  *ulps  *bits ' $problem --steps 50 --precisions float,double --csv all.csv
    found out '^eulercl [0-9.]*, 2.*UTC: eulercl compare' "^${problem%% *}: .*n = [0-9]" '^50 steps of h = 0.0001 from t = 0 to 0.005, method euler; ratios to seq'
    is "$(column all.csv configuration | sort -u | tr '\n' ' ')" "$(echo "$backends" | sort | tr '\n' ' ')"
    is "$(column all.csv precision | sort | uniq -c | awk '{ print $2, $1 - '"$(echo "$backends" | wc -l)"' }' | tr '\n' ' ')" 'double 0 float 0 '
    works=$(grep -c ',EULERCL_OK,' all.csv)
    is "$(column all.csv bits | grep -c '^same$\|^seq$')" "$works"
    is "$(column all.csv ulps | grep -c '^0$')" "$works"
    is "$(column all.csv kernel_seconds | grep .)" "$(column all.csv kernel_seconds | grep . | sort -g)"
    if [ "$opencl" = yes ]; then is "$works" "$((2 * $(echo "$backends" | wc -l)))"; else found out 'built without OpenCL\|no usable OpenCL'; fi
    if "$eulercl" solve string --size 20 | grep -q '^hash'; then is "$(column all.csv state_hash | grep . | sort -u | wc -l)" 2; fi
done
# fields: each row has the fields of the head
grep -v '^#' all.csv | awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit n < 20 }' && pass || fail "all.csv: fields: $(cat all.csv)"
is "$(column all.csv steps | grep -v '^0$' | sort -u)" 50
# ratio: the baseline's time over the row's
expect 0 'ratios to cpu steps$\|ratios to cpu steps;' string --size 2000 --steps 500 --baseline cpu:steps --backends pthreads --runs 3 --csv b.csv
found out 'the best of 3 runs' '^cpu steps '
column b.csv kernel_seconds >k
column b.csv ratio >r
base=$(column b.csv configuration | paste -d: - k | sed -n 's/^cpu steps://p')
paste k r | awk -v base="$base" '{ d = $2 * $1 / base - 1; if (d > 1e-4 || d < -1e-4) exit 1 } END { exit NR != 3 }' && pass || fail "ratios: $(cat b.csv)"

# --- what drivers compile at the first launch is in the total, and not in the kernel's time: PoCL has a cache, which is empty here
if [ "$opencl" = yes ]; then
    (POCL_CACHE_DIR=$scratch/empty && export POCL_CACHE_DIR && mkdir empty && "$eulercl" compare string --size 400 --steps 3 --backends cl-column-diamond --csv cold.csv) >out 2>&1
    column cold.csv kernel_seconds >k
    column cold.csv total_seconds >t
    paste k t | awk 'NR == 2 { good = $2 > 10 * $1 } END { exit NR != 2 || !good }' && pass || fail "the first launch is timed: $(cat out)"
fi

# --- variants and options
expect 0 '^cpu tiles tile_points=64 .* tiles, 1 thread' string --size 800 --steps 20 --backends cpu:tiles:tile_points=64,cpu:all
for variant in auto lanes tiles steps; do found out "^cpu $variant "; done
expect 0 '^auto .*(estimate)$' string --size 800 --steps 20 --backends auto --wisdom ''
is "$(grep -c '^seq \|^auto ' out)" 2
expect 0 '^pthreads barrier ' string --size 800 --steps 20 --backend pthreads --variant barrier --threads 2
is "$(grep -c ' 1 thread$\| 2 threads$' out)" 2

# --- errors: first order in h; against a reference the same as against the exact solution
expect 0 'errors against the exact solution' string --size 100 --t-end 0.5 --h-list 1e-3,5e-4 --backends cpu --csv e.csv
column e.csv error >errors
awk 'NR <= 2 { a = $1 } NR > 2 { b = $1 } END { exit !(a / b > 1.9 && a / b < 2.1 && a > 0) }' errors && pass || fail "errors: $(cat errors)"
reference=$(dirname "$eulercl")/eulercl-reference
if [ -x "$reference" ]; then
    "$reference" --help >out 2>err && grep -q 'Usage: eulercl-reference' out && pass || fail "eulercl-reference --help: $(cat out err)"
    "$reference" string --size 100 --t-end 0.5 --out r.npy >out 2>err && grep -q '^evaluations: [1-9]' out && pass || fail "eulercl-reference: $(cat out err)"
    expect 0 'errors against r.npy' string --size 100 --t-end 0.5 --h-list 1e-3,5e-4 --backends cpu --reference r.npy --csv f.csv
    column f.csv error >other
    paste errors other | awk '{ d = $1 / $2 - 1; if (d > 1e-6 || d < -1e-6) exit 1 } END { exit NR != 4 }' && pass || fail "errors: $(paste errors other)"
    "$reference" bruss2d -p m=6 --t-end 0.1 --out b.npy >/dev/null 2>err || fail "eulercl-reference bruss2d: $(cat err)"
    expect 0 'errors against b.npy' bruss2d -p m=6 --t-end 0.1 --h-list 1e-3,5e-4 --backends seq --reference b.npy --csv g.csv
    column g.csv error | awk '{ e[NR] = $1 } END { exit !(NR == 2 && e[1] / e[2] > 1.9 && e[1] / e[2] < 2.1) }' && pass || fail "errors: $(column g.csv error)"
    # errors fall with the tolerance
    expect 0 'steps to a tolerance .*; errors against b.npy' bruss2d -p m=6 --t-end 0.1 --tols 1e-4,1e-8 --methods auto,bs32,rock4 --backends seq --reference b.npy --csv g.csv
    column g.csv point >p; column g.csv series >name; column g.csv error >e
    for method in auto bs32 rock4; do
        paste name p e | awk -v name="seq $method" -F'\t' '$1 == name { error[$2] = $3 } END { exit !(error["1e-8"] > 0 && error["1e-8"] < 1e-6 && error["1e-4"] > 100 * error["1e-8"] && error["1e-4"] < 1e-2) }' \
            && pass || fail "$method: errors: $(paste name p e)"
    done
    expect 2 'one for each point' string --sizes 100,200 --reference r.npy
    cp r.npy bare.npy
    expect 6 'holds 100 reals' string --size 200 --t-end 0.5 --reference bare.npy
    if [ "$json" = yes ]; then
        expect 2 'at t = 0.5, but the runs end at t = 0.4' string --size 100 --t-end 0.4 --reference r.npy
        expect 2 'to the problem string' bruss2d --t-end 0.5 --reference r.npy
        expect 2 'with K = 5, not 6' string --size 100 -p K=6 --t-end 0.5 --reference r.npy
        "$reference" string --size 20 --t-end 0.1 --out j.npy --json >out 2>err && grep -q '"method": "GSL' out && pass || fail "eulercl-reference --json: $(cat out err)"
    fi
    # refused: code, pattern, arguments
    while read -r code pattern arguments; do
        # shellcheck disable=SC2086
        "$reference" $arguments >out 2>err
        [ $? -eq "$code" ] && grep -q "^eulercl-reference: .*$pattern" err && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] && [ ! -e n.npy ] && pass || fail "eulercl-reference $arguments: $(cat err)"
    done <<'END'
2 missing
2 t-end string --out n.npy
2 out string --t-end 1
2 before string --t-end -1 --out n.npy
2 tolerance string --t-end 1 --out n.npy --tolerance 1e-30
2 .npy string --t-end 1 --out n.png
2 nonsense nonsense --t-end 1 --out n.npy
6 nonexistent string --size 20 --t-end 1 --out /nonexistent/n.npy
END
fi

# --- methods: bits and ratios are those of runs with the same method; errors fall with the order
expect 0 '^ *h  *backend  *reals  *method  *stages  *kernel ' string --size 100 --t-end 0.5 --h-list 5e-2,2.5e-2 --methods euler,rk4,rkl2:5,verlet --backends seq,cpu --csv m.csv
found out '  cpu  *double  *rk4  *4 ' '  seq  *double  *rkl2  *5 '
is "$(column m.csv method | sort | uniq -c | awk '{ print $2, $1 }' | tr '\n' ' ')" 'euler 4 rk4 4 rkl2 4 verlet 4 '
is "$(column m.csv stages | sort -n | uniq | tr '\n' ' ')" '1 3 4 5 '
is "$(column m.csv bits | sort | uniq -c | awk '{ print $2, $1 }' | tr '\n' ' ')" 'same 8 seq 8 '
column m.csv series | sort -u >series
found series '^cpu rk4$' '^cpu rkl2:5$' '^seq verlet$'
while read -r method least most; do
    column m.csv series >s; column m.csv point >p; column m.csv error >e
    paste s p e | awk -v name="seq $method" -v least="$least" -v most="$most" -F'\t' '$1 == name { error[$2] = $3 } END { r = error["5e-2"] / error["2.5e-2"]; exit !(r > least && r < most) }' \
        && pass || fail "$method: the order of $(paste s p e)"
done <<'END'
euler 1.8 2.2
rk4 14 18
verlet 3.8 4.2
END
column m.csv gstages_per_s >g; column m.csv gcs_per_s >c; column m.csv method >s
paste s g c | awk '$1 == "rk4" { d = $2 / $3 / 4 - 1; if (d > 1e-4 || d < -1e-4) exit 1; n++ } END { exit n != 4 }' && pass || fail "stages per second: $(paste s g c)"
# each with a step size of its own
expect 0 '^5 steps of h = auto from t = 0; ratios' bruss2d -p m=6 --methods euler,rkl2 --h auto --backends seq --precision float --steps 5 --csv h.csv
found out '^backend  *reals  *method  *stages  *h  *kernel '
expect 0 'method rk4; ratios' string --size 100 --steps 10 --method rk4 --backends seq
grep -q ' method ' out && ! grep -q '^backend.* method' out && pass || fail "a column for one method: $(cat out)"
expect 0 '^stages  backend ' string --size 100 --steps 10 --method rkl2 --sweep stages=3,8 --backends seq --csv h.csv
is "$(column h.csv stages | tr '\n' ' ')" '3 8 '
expect 0 'needs positions' bruss2d -p m=6 --methods rk4,verlet --steps 5 --backends seq
if [ "$json" = yes ]; then
    expect 0 '"method": "rk4"' string --size 40 --steps 5 --methods rk4,rock2:10 --backends seq --json
    found out '"stages": 4' '"method": "rock2"' '"gstages_per_s": [0-9]'
fi

# --- tolerances: runs with the steps of solve, bits of seq, errors that fall with the tolerance; the table says which method auto has chosen
expect 0 '^ *rtol  *backend  *reals  *method  *stages  *steps  *rejected  *evaluations  *kernel ' string --size 100 --t-end 1 --tols 1e-3,1e-6 --methods auto,bs32,rkl2:6 --backends cpu --csv t.csv
found out '^steps to a tolerance from t = 0 to 1; ratios' '^1e-6  *seq  *double  *auto .* [a-z0-9]*, 1 thread$' '^1e-3  *cpu  *double  *bs32  *3 ' '^1e-6  *cpu  *double  *rkl2  *6 '
is "$(column t.csv point | sort | uniq -c | awk '{ print $2, $1 }' | tr '\n' ' ')" '1e-3 6 1e-6 6 '
is "$(column t.csv rtol | sort -u | tr '\n' ' ')$(column t.csv h | sort -u)$(column t.csv t_end | sort -u)" '0.001 1e-06 1'
is "$(column t.csv bits | sort | uniq -c | awk '{ print $2, $1 }' | tr '\n' ' ')" 'same 6 seq 6 '
is "$(column t.csv series | sort -u | tr '\n' ',')" 'cpu auto,cpu bs32,cpu rkl2:6,seq auto,seq bs32,seq rkl2:6,'
column t.csv method | grep -q '^auto$\|^$' && fail "the method that ran: $(column t.csv method)" || pass
column t.csv series >s; column t.csv point >p; column t.csv atol >a; column t.csv control_seconds >c
paste p a c | awk '!($2 > 0 && $2 < 1 && $3 > 0) { exit 1 } END { exit NR != 12 }' && pass || fail "atol, control: $(paste p a c)"
"$eulercl" solve string --size 100 --t-end 1 --tol 1e-6 --method bs32 --backend seq >solved 2>err || fail "solve: $(cat err)"
for name in steps rejected rhs_evaluations state_hash; do column t.csv $name >n; paste s p n | awk -F'\t' '$1 == "seq bs32" && $2 == "1e-6" { print $3 }'; done | tr '\n' ' ' >here
sed -n 's/^steps *\([0-9]*\), and \([0-9]*\) rejected.*/\1 \2/p;s/^ *\([0-9]*\) evaluations;.*/\1/p;s/^hash *//p' solved | tr '\n' ' ' >there
grep -q '^hash' solved || sed -i 's/[^ ]* $//' here
is "$(cat here)" "$(cat there)"
expect 0 '^steps to a tolerance from t = 0 to 0.5, method auto; ' bruss2d -p m=6 --t-end 0.5 --tols 1e-2 --backends seq --controller i --h0 1e-3 --h-max 1e-2 --csv t.csv
column t.csv steps | awk '{ exit !($1 >= 50) }' && pass || fail "--h-max: $(column t.csv steps) steps"
expect 0 '^steps to the tolerance rtol = 0.001 and atol = 1e-05 from t = 0 to 1, method auto; ' string --sizes 20,40 --t-end 1 --tol 1e-3,1e-5 --backends seq --csv t.csv
is "$(column t.csv rtol | sort -u)$(column t.csv atol | sort -u)" 0.0011e-05
expect 0 '^1e-9 .*more than 40 steps' string --size 40 --tols 1e-2,1e-9 --t-end 1 --max-steps 40 --backends seq
[ "$json" = no ] || { expect 0 '"rtol": 0.001' string --size 20 --tols 1e-3 --t-end 1 --backends seq --json; found out '"sweep": "rtol"' '"rejected": [0-9]' '"atol": [0-9]' '"h": null' '"method": "[a-z]'; }

# --- sweeps
expect 0 '^ *n  backend ' string --sizes 100,401 --steps 20 --backends cpu --csv s.csv
found out '^string: [^,=]* (K = 5)$'
is "$(column s.csv n | sort -g -u | tr '\n' ' ')" '100 400 '
is "$(column s.csv x | tr '\n' ' ')" '100 100 400 400 '
is "$(column s.csv point | tr '\n' ' ')" '100 100 400 400 '
is "$(sed -n 's/^ *\([0-9]*\)  \(seq\|cpu\) .*/\1/p' out | sort -u | tr '\n' ' ')" '100 400 '
expect 0 '^5 steps of h = auto from t = 0, method euler; ' bruss2d --sizes 72,800 --h auto --steps 5 --backends seq --csv s.csv
is "$(column s.csv h | sort -u | wc -l)" 2
expect 0 '^steps  backend ' string --size 20 --steps-list 10,30 --backends seq --csv s.csv
is "$(column s.csv steps | tr '\n' ' ')" '10 30 '
expect 0 'from t = 0 to 1, method euler;' string --size 20 --steps-list 10,30 --t-end 1 --backends seq --csv s.csv
is "$(column s.csv h | tr '\n' ' ')$(column s.csv t_end | tr '\n' ' ')" '0.1 0.0333333 1 1 '
expect 0 '^threads  backend ' string --size 4000 --sweep threads=1,2 --backends pthreads:barrier --steps 20 --csv s.csv
is "$(column s.csv threads | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" '3 1 1 2 '
expect 0 '^K  backend ' string --size 20 --sweep K=1,2 --backends seq --steps 20
is "$(grep -c '^[12]  seq' out)" 2

# --- JSON
if [ "$json" = yes ]; then
    expect 0 '"rows": ' string --size 40 --backends cpu --h-list 1e-3,1e-4 --t-end 0.01 --json
    found out '"sweep": "h"' '"baseline": "seq"' '"errors_against": "the exact solution"' '"version": "' '"command": "eulercl compare string' '"ulps": 0.0' '"bits": "same"' \
        '"kernel_seconds": [0-9]' '"rhs_evaluations": [1-9]' '"error": [0-9]' '"note": null' '"status": "EULERCL_OK"'
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys; d = json.load(open("out")); assert len(d["rows"]) == 4 and {r["h"] for r in d["rows"]} == {1e-3, 1e-4} and d["parameters"] == {"points": 20, "K": 5.0} and all(r["n"] == 40 for r in d["rows"])' 2>err \
            && pass || fail "JSON: $(tail -n 1 err)"
    fi
fi

# --- colours: only on a terminal, not with NO_COLOR
if script -qc true /dev/null >/dev/null 2>&1; then
    escape=$(printf '\033')
    TERM=xterm NO_COLOR='' script -qc "'$eulercl' compare string --size 20 --backends cpu 2>/dev/null" /dev/null </dev/null >out 2>&1
    found out "$escape\\[32msame"
    TERM=xterm NO_COLOR=1 script -qc "'$eulercl' compare string --size 20 --backends cpu 2>/dev/null" /dev/null </dev/null >out 2>&1
    grep -q "$escape" out && fail "colours in spite of NO_COLOR" || found out same
    expect 0 same string --size 20 --backends cpu
    grep -q "$escape" out && fail "colours in a file" || pass
fi

# --- plots
if [ "$gnuplot" = yes ]; then
    expect 0 same string --sizes 40,401,4e3 --steps 20 --backends cpu,pthreads --plot "it's, a.svg" --plot speedup:p.png --plot normalised:q.svg
    for f in "it's, a.svg" "it's, a.gp" "it's, a.csv" p.png p.gp p.csv q.svg; do [ -s "$f" ] && pass || fail "no $f"; done
    is "$(od -An -tx1 -N4 p.png | tr -d ' \n')" 89504e47
    tail -n 3 "it's, a.svg" | grep -q '</svg>' && pass || fail "the picture: $(head -c 300 "it's, a.svg")"
    found "it's, a.svg" 'size n, components' 'kernel time' '>.*pthreads<'
    found q.svg 'ns per component and step'
    found q.gp "^set xtics ('40' 40, '400' 400, '4000' 4000)"
    cp "it's, a.svg" before.svg
    gnuplot "it's, a.gp" && cmp "it's, a.svg" before.svg && pass || fail "the script draws another picture"
    expect 0 same string --size 40 --t-end 0.1 --h-list 1e-2,1e-3 --precisions float,double --backends cpu --plot w.svg --plot error:e.svg --plot total:t.svg --plot rate:rate.svg
    found w.svg 'largest error' 'kernel time' 'cpu double'
    found e.svg 'largest error' 'step size h'
    LC_ALL=C expect 0 same string --size 40 --backends cpu --plot bars.svg
    found bars.svg '</svg>' '>.*cpu<' 'kernel time, [mun]*s<'
    # a line for each method
    expect 0 same string --size 40 --t-end 0.1 --h-list 1e-2,5e-3 --methods euler,rk4 --backends cpu --plot m.svg
    found m.svg 'largest error' '>.*cpu euler<' '>.*cpu rk4<'
    # errors over the time of each tolerance, in one notation
    expect 0 same string --size 40 --t-end 1 --tols 1e-2,1e-5,1e-8 --methods auto,bs32 --backends cpu --plot tol.svg --plot error:tols.svg
    found tol.svg 'largest error' 'kernel time' '>.*cpu auto<' '>.*seq bs32<' '>[[:space:]]*1e-[5-9]<'
    found tols.svg 'tolerance rtol'
    found tols.gp "^set xtics ('1e-2' 0.01, '1e-5' 1e-05, '1e-8' 1e-08)"
    # every tic has a label of its own, also where an axis is shorter than a decade
    expect 0 same string --size 2000 --t-end 0.1 --h-list 1e-4,2e-4 --backends cpu --plot short.svg
    for axis in x y; do
        sed -n "s/^set ${axis}tics (//p" short.gp | tr ',' '\n' | cut -d"'" -f2 >tics
        [ "$(wc -l <tics)" -ge 3 ] && pass || fail "tics of $axis: $(cat tics)"
    done
    for picture in bars short; do     # the text before the label of the axis
        sed -n '/<text/{s/<[^>]*>//g;s/^[[:space:]]*//;p;}' $picture.svg | sed '/kernel time/q' >labels
        [ "$(wc -l <labels)" -ge 4 ] && is "$(sort labels | uniq -d)" '' || fail "$picture.svg: no labels: $(cat labels)"
    done
    # without gnuplot or Python: an error before anything is computed
    for lacking in gnuplot:python python3:nothing; do
        PATH=$scratch/${lacking#*:} "$(command -v timeout)" 60 "$eulercl" compare string --size 20 --steps 1e12 --backends seq --plot none.svg >out 2>err
        [ $? -eq 4 ] && grep -q "^eulercl: --plot: cannot run ${lacking%:*}: " err && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] && pass || fail "without ${lacking%:*}: $(cat err)"
    done
    # the data beside a plot are those of --csv, and the installed script draws the same from JSON
    expect 0 '"how": "' string --sizes 40,400 --steps 20 --backends cpu,pthreads --csv data.csv --plot again.svg --report again.html --json
    same data.csv again.csv
    mkdir later && (cd later && "$sources/cli/eulercl-report" --plot again.svg --report again.html ../out) 2>err && same again.svg later/again.svg && same again.gp later/again.gp || fail "eulercl-report: $(cat err)"
    well_formed later/again.html
    found later/again.html 'all of them in the same bits as seq' 'Kernel time' '<svg'
    echo '{}' | "$sources/cli/eulercl-report" --plot x.svg - >/dev/null 2>err
    [ $? -eq 6 ] && grep -q '^eulercl-report: - is not what eulercl .* prints with --json, nor a table of eulercl solve$' err && [ "$(wc -l <err)" -eq 1 ] && pass || fail "eulercl-report: $(cat err)"
    # a table of solve: all columns, also of one state and without finite values; its script draws it again
    for steps in 40 0; do
        "$eulercl" solve -q bruss2d -p m=20 --h 1e-3 --steps $steps --every 4 --monitor mean:0,histogram:0:8:0:6,euler:0:1,length:1,front:0:90,correlation:0:5 --out run.csv || fail "a table of $steps steps"
        "$sources/cli/eulercl-report" --plot table.svg run.csv 2>err && [ ! -s err ] && pass || fail "eulercl-report run.csv, $steps steps: $(cat err)"
        well_formed table.svg
        found table.svg 'mean:0' 'histogram:0:8:0:6' 'euler:0:1:euler_faces' 'length:1' 'front:0:90:missing' 'correlation:0:5, along y'
        cp table.svg before.svg && gnuplot table.gp 2>err && same before.svg table.svg
    done
    "$sources/cli/eulercl-report" --plot time:x.svg run.csv 2>err
    [ $? -eq 2 ] && grep -q 'has no kinds of plots$' err && pass || fail "a kind of a table: $(cat err)"
    printf 'step,t,mean\n0,0,1\n1,1\n' | "$sources/cli/eulercl-report" --plot x.svg - 2>err
    [ $? -eq 6 ] && grep -q 'nor a table of eulercl solve$' err && pass || fail "a damaged table: $(cat err)"
    # points without figures
    expect 0 'smaller step size' bruss2d --size 800 --t-end 10 --h-list 1.0,1e-2,1e-3 --backends seq --plot some.svg
    found some.gp "^set xtics ('1e-2' 0.01, '1e-3' 0.001)"
    "$eulercl" compare string --size 20 --steps-list 1,2 --h 1e-300 --precision float --backends seq --plot none.svg >out 2>err
    [ $? -eq 2 ] && grep -q '^eulercl: ' err && pass || fail "no step size: $(cat err)"
    "$eulercl" compare bruss2d --size 800 --t-end 100 --h-list 10,5 --backends seq --plot none.svg --report none.html >out 2>err
    [ $? -eq 5 ] && [ "$(wc -l <err)" -eq 1 ] && well_formed none.html && grep -q '0 of 2 runs ended' none.html && pass || fail "nothing to draw: $(cat err)"
    rm -f none.html
    # names that gnuplot takes for commands, options, tables in memory; a command line with a line break, which is in a comment of the script
    mkdir names && cd names || exit 99
    for name in '<touch PWN;x.svg' '|touch PWN;x.png' -x.svg '$x.svg' "it's \`touch PWN\`.svg" '@x.svg'; do
        "$eulercl" compare string --size 20 --backends cpu --plot="$name" >out 2>err && [ -s "$name" ] && pass || fail "--plot='$name': $(cat err; ls -l)"
        before=$(cksum <"$name")
        gnuplot "./${name%.*}.gp" 2>err && is "$(cksum <"$name")" "$before"
    done
    "$eulercl" bench string --size 20 --backend seq --seconds 0.001 --repeats 1 --svg '|touch PWN;y.svg' >out 2>err && [ -s '|touch PWN;y.svg' ] && pass || fail "bench --svg: $(cat err)"
    csv=$(printf 'a\nsystem("touch PWN")\n.csv')
    "$eulercl" compare string --size 20 --backends cpu --csv "$csv" --plot b.svg --report b.html >out 2>err && [ -s b.svg ] && pass || fail "a line break: $(cat err)"
    for file in b.gp b.csv; do
        if grep -q '^# eulercl .*--csv a system("touch PWN") .csv --plot' $file; then pass; else fail "$file: $(head -n 4 $file)"; fi
    done
    "$eulercl" compare string --size 20 --backends cpu --plot "$(printf 'c\nd.svg')" >out 2>err
    [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'c\\nd.svg: .*control characters' err && pass || fail "a plot with a line break: $(cat err)"
    [ ! -e PWN ] && [ -z "$(ls -A | grep '^\.eulercl\|^[cd]')" ] && pass || fail "a command was run, or files were left: $(ls -A)"
    cd .. && rm -rf names
    # gnuplot ends well and has drawn nothing
    mkdir stub && printf '#!/bin/sh\nexit 0\n' >stub/gnuplot && chmod +x stub/gnuplot
    PATH=$scratch/stub:$PATH "$eulercl" compare string --size 20 --backends cpu --plot none.svg >out 2>err
    [ $? -eq 1 ] && grep -q '^eulercl: gnuplot wrote nothing to .*none.svg$' err && [ ! -e none.svg ] && pass || fail "an empty picture: $(cat err)"
    rm -rf stub none.*
    expect 2 'errors need an exact solution' bruss2d --sizes 72,200 --plot error:none.svg
    expect 2 'needs a sweep' string --size 20 --plot work-precision:none.svg
    expect 2 'none.svg would be written twice' string --size 20 --plot none.svg --plot rate:./none.svg
    expect 2 'none.gp would be written twice' string --size 20 --plot none.svg --plot rate:none.png
else
    expect 4 '--plot: ' string --size 20 --backends cpu --plot none.svg
fi

# --- the page
cat >odd.c <<'C'
#define ODE_NAME odd
#define ODE_TITLE "a < b & \"c\""
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX 10
#include <eulercl/ode_problem.h>
#ifdef __OPENCL_VERSION__
#define RATE REAL(3)
#else
#define RATE REAL(2.5)
#endif
ODE_POINT_RHS( DOT(0) = RATE * AT(0, 0); )
ODE_INITIAL( Y0(0) = 1; )
C
if [ "$pages" = yes ]; then
examples="bruss2d:-p:m=12:--steps:20:--backends:seq,cpu string:--size:40:--h-list:1e-2,1e-3:--t-end:0.1:--methods:euler,rk4,verlet:--backends:cpu string:--sizes:40,400:--steps:20:--backends:cpu string:--size:40:--h-list:1e-2,1e-3:--t-end:0.1:--backends:cpu odd.c:--backends:cpu"
for page in $examples; do
    # shellcheck disable=SC2046
    "$eulercl" compare $(echo "$page" | tr : ' ') --report page.html >out 2>err && [ -s page.html ] && pass || fail "$page: $(cat err)"
    well_formed page.html
    found page.html '<!DOCTYPE html>' 'all of them in the same bits as seq' "eulercl $("$eulercl" --version | cut -d' ' -f2)" 'eulercl compare' 'data:text/csv;base64,' 'Each run in full' 'state_hash\|xxHash\|device:'
    if [ "$gnuplot" = yes ]; then found page.html '<svg'; else found page.html 'gnuplot could not be run'; fi
    [ "$png" = no ] || found page.html 'src="data:image/png;base64,iVBORw0KGgo'
    grep -o 'data:text/csv;base64,[^"]*' page.html | cut -d, -f2 | base64 -d 2>/dev/null | grep -q '^point,x,series' && pass || fail "$page: the CSV inside"
done
"$eulercl" compare string --size 40 --methods rk4,verlet --h auto --steps 3 --backends cpu --report page.html >out 2>err || fail "a page of methods: $(cat err)"
well_formed page.html
found page.html '<th>method</th><th class="n">stages</th><th class="n">h</th>' '<td class="plain">rk4</td><td class="n">4</td>' '<td class="plain">verlet</td>'
"$eulercl" compare string --size 40 --tols 1e-2,1e-9 --max-steps 40 --t-end 1 --backends cpu --report page.html >out 2>err || fail "a page of tolerances: $(cat err)"
well_formed page.html
found page.html '<th class="n">rtol</th>' '<th class="n">rejected</th>' '<td colspan="8">more than 40 steps' '^rtol: 0.01$'
[ "$gnuplot" = no ] || found page.html 'Error over time'
PATH=$scratch/python "$eulercl" compare string --size 20 --backends cpu --report bare.html >out 2>err
[ $? -eq 0 ] && well_formed bare.html && grep -q 'gnuplot could not be run' bare.html && pass || fail "a page without gnuplot: $(cat err)"
expect 2 'x.pdf: the name must end in .svg or .png' string --plot x.pdf
expect 2 'x.html would be written twice' string --csv x.html --report ./x.html
expect 2 'must end in .html' string --report x.txt
expect 6 /nonexistent string --size 20 --report /nonexistent/x.html
fi
PATH=$scratch/nothing "$eulercl" compare string --size 20 --backends cpu --report none.html >out 2>err
[ $? -eq 4 ] && grep -q '^eulercl: --report: ' err && [ ! -e none.html ] && pass || fail "a page without Python: $(cat err)"

# --- an option of one way is for it alone; an unknown variant is reported before anything is solved
expect 0 '^cpu lanes .* 1 thread, .* [0-9]* steps a launch$' string --size 400 --backends cpu:lanes,cpu:lanes:steps_per_launch=2,cpu:lanes:steps_per_launch=4
found out '^cpu lanes steps_per_launch=2 .* 2 steps a launch$' '^cpu lanes steps_per_launch=4 .* 4 steps a launch$'
for way in cpu:nonsense auto:nonsense; do
    timeout 60 "$eulercl" compare string --size 4000 --steps 1e9 --backends seq,$way >out 2>err
    [ $? -eq 2 ] && grep -q "has no variant 'nonsense'" err && pass || fail "$way: $(cat err)"
done

# --- what does not work is a row; other bits are an error, and the page says so
expect 0 "^cl-linear  *double  *.*\(nonsense\|without OpenCL\)" string --size 20 --device nonsense --backends cpu,cl-linear --csv n.csv
found n.csv ',EULERCL_NO_DEVICE,'
"$eulercl" compare bruss2d --size 800 --h 10 --backends seq,cpu >out 2>err
[ $? -eq 5 ] && [ "$(grep -c 'smaller step size' out)" -eq 2 ] && grep -q '^eulercl: seq: .*smaller' err && pass || fail "infinite: $(cat out err)"
expect 0 '^ *1.0 .*smaller step size' bruss2d --size 800 --t-end 10 --h-list 1.0,1e-3 --backends seq
expect 0 '^1000*  seq .*\(memory\|MB\)' string --sizes 20,1e14 --backends seq
"$eulercl" compare string -p points=1e14 --backends cpu >out 2>err
[ $? -eq 7 ] && [ "$(grep -c 'memory\|MB' out)" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && pass || fail "no memory: $(cat out err)"
if [ "$opencl" = yes ]; then
    "$eulercl" compare odd.c --backends seq,cpu,cl-linear ${page:+--report odd.html} >out 2>err
    [ $? -eq 1 ] && grep -q '^cl-linear .* DIFFERENT ' out && grep -q '^cpu .* 0  same ' out && grep -q '^eulercl: 1 of 3 runs differ in their bits from seq' err && pass || fail "other bits: $(cat out err)"
    [ "$pages" = no ] || { well_formed odd.html; found odd.html '1 ended in other bits than seq' 'class="different"'; }
fi
"$eulercl" compare string --size 20000 --steps 1e9 --backends seq --csv late.csv >out 2>err &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
[ $? -eq 130 ] && [ ! -e late.csv ] && pass || fail "interrupted: $(cat err)"

expect 0 '^cl-linear device=0:0 workgroup_size=8  ' string --size 20 --backends cpu,cl-linear:device=0:0:workgroup_size=8

# --- refused before anything runs
while read -r code pattern arguments; do
    # shellcheck disable=SC2086
    expect "$code" "$pattern" $arguments
done <<'END'
2 missing
2 nonsense nonsense
2 nonsense string --backends nonsense
2 nonsense string --backends cpu:nonsense=1
2 empty string --backends ,
2 all:all string --backends all:vector
2 precision.cannot string --backends cpu:precision=float
2 method.cannot string --backends cpu:method=rk4
2 cannot.be.set.here string --backends cpu:stages=4
2 method.cannot string --sweep method=1
2 rk4.has.4.stages,.not.5 string --methods euler,rk4:5
2 unknown.method.'nonsense' string --methods euler,nonsense
2 duplicate string --methods rk4,rk4
2 empty string --methods ,
2 rk4.has.4.stages,.not.5 string --methods rkl2,rk4 --stages 5
2 backend.cannot string --sweep backend=1
2 OPTION=VALUE string --backends cl-linear:vector:strided
2 OPTION=VALUE string --backends cl-linear:device=0:0:0
2 OPTION=VALUE string --backends cl-linear:device=gpu:0
2 single.*not.all string --baseline all
2 single.*not.all string --baseline cl-linear:all
2 half string --precisions half
2 duplicate string --precisions double,double
2 runs string --runs 0
2 whole string --sizes 0
2 mutually.exclusive string --size 20 --sizes 20
2 one.sweep string --sizes 20 --h-list 1 --t-end 1
2 needs.--t-end string --h-list 1e-3
2 over-determine string --h-list 1e-3 --t-end 1 --steps 3
2 mutually.exclusive string --steps 3 --steps-list 3
2 whole string --steps-list 1.5
2 needs.--t-end string --tols 1e-3
2 needs.--t-end string --tol 1e-3
2 --h.and.--tols.are.mutually.exclusive string --tols 1e-3 --t-end 1 --h 1e-3
2 --h.and.--tol.are.mutually.exclusive string --tol 1e-3 --t-end 1 --h auto
2 --steps.and.--tols.are.mutually.exclusive string --tols 1e-3 --t-end 1 --steps 5
2 --steps.and.--tol.are.mutually.exclusive string --tol 1e-3 --steps 5
2 --tol.and.--tols.are.mutually.exclusive string --tols 1e-3 --t-end 1 --tol 1e-3
2 --tol.and.--h-list.are.mutually.exclusive string --tol 1e-3 --t-end 1 --h-list 1e-3
2 --tol.and.--steps-list.are.mutually.exclusive string --tol 1e-3 --t-end 1 --steps-list 5
2 one.sweep string --tols 1e-3 --t-end 1 --h-list 1e-3
2 'x'.is.not.a.finite.number string --tols 1e-3,x --t-end 1
2 '0'.is.not.greater.than.0 string --tols 1e-3,0 --t-end 1
2 need.--tol string --t-end 1 --h0 1e-3
2 auto.needs.a.tolerance string --methods auto
2 auto.chooses.the.stages string --tols 1e-3 --t-end 1 --stages 5
4 euler.has.no.estimate string --tols 1e-3 --t-end 1 --methods dp54,euler
4 verlet.has.no.estimate string --tol 1e-3 --t-end 1 --method verlet
2 nonsense string --sweep nonsense=1
2 NAME=VALUE string --sweep nonsense
2 finite string --sweep K=x
2 needs.--backend string --variant vector
2 step.size string --size 20 --h 0
2 dia_blocks string --size 20 --dia-blocks 99999999 --backends cpu
2 end.time string --size 20 --t-end -1
6 missing.npy string --size 20 --reference missing.npy
6 /nonexistent string --size 20 --csv /nonexistent/x.csv
END
leftover=$(ls -A | grep '^\.eulercl\|^none\|^x\.')
[ -z "$leftover" ] || fail "files left behind: $leftover"
finish
