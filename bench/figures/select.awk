# bench/figures/select.awk - select the runs that one figure shows from a table of measurements. It writes
# blocks of numbers into the file `data`, each under its label, and assignments for gnuplot to standard
# output. The input is series.txt, then the table. The numbers of a bar chart are also written as a table.
function commas(number,    text) {
    text = sprintf("%d", number)
    while (match(text, /[0-9][0-9][0-9][0-9]+(,|$)/)) sub(/[0-9][0-9][0-9](,|$)/, ",&", text)
    return text
}
function short(number) { return number < 100 ? sprintf("%.3g", number) : commas(number + 0.5) }
function label_of(s,    key, text, tail) {
    key = s
    if (sub(/-uncached$/, "", key)) tail = ", no caches"
    text = (s in alias ? alias[s] : key in label ? label[key] : key) tail
    if (match(text, /-[0-9]+$/)) text = substr(text, RSTART + 1) " " (s ~ /^groups/ ? "work-groups" : "work-items")
    sub(/^1 work-groups$/, "1 work-group", text)
    sub(/\{n\}/, commas(size[s]), text)
    return text
}
function style_of(s,    key, number) {
    key = s
    number = sub(/-uncached$/, "", key) ? 20 : 0
    return number + (key in style ? style[key] : substr("030608", 1 + 2 * (unnamed++ % 3), 2))
}
function quoted(text) { gsub(/'/, "''", text); return "'" text "'" }
function wanted(s,    i) {
    for (i = 1; i <= patterns; i++) if (s ~ "^" pattern[i] "$") return 1
    return 0
}
BEGIN {
    patterns = split(series, pattern, " ")
    for (i = 1; i <= patterns; i++) {
        if (split(pattern[i], f, "=") == 2) alias[pattern[i] = f[1]] = f[2]
        gsub(/\*/, ".*", pattern[i])
    }
}
/^#/ { next }
FILENAME ~ /series.txt$/ { split($0, f, "|"); style[f[1]] = f[2]; label[f[1]] = f[3]; next }
!columns { columns = split($0, f, ","); for (i = 1; i <= columns; i++) at[f[i]] = i; next }
{
    split($0, f, ",")
    s = f[at["series"]]
    time = f[at["us_per_step"]]
    if (kind == "bars" && f[at["problem"]] != x) next
    if (s == "base" || (kind == "bars" && !base)) base = time
    if (!wanted(s)) next
    if (!(s in first)) { order[++count] = s; first[s] = base ? base : time; size[s] = f[at["n"]] }
    if ("device" in at && (!device || f[at["backend"]] ~ /^cl-/)) device = f[at["device"]]
    value = y == "speedup" ? first[s] / time : y == "normalised" ? 1e6 * time / f[at["n"]] : time
    place = kind == "bars" ? count : f[at[x]] + 0
    if ((s, place) in seen) next
    seen[s, place] = 1
    for (i = ++points[s]; i > 1 && places[s, i - 1] > place; i--) { places[s, i] = places[s, i - 1]; values[s, i] = values[s, i - 1] }
    places[s, i] = place
    values[s, i] = value
    if (xmin == "" || place < xmin) xmin = place
    if (ymin == "" || value < ymin) ymin = value
    if (place > xmax) xmax = place
    if (value > ymax) ymax = value
    row[s] = "\"" label_of(s) "\"," f[at["n"]] "," f[at["precision"]] "," time "," sprintf("%.4g", value)
    text[s] = short(time) " µs, " short(value) "×"
}
END {
    if (!count) exit 1
    if (kind == "bars") print "implementation,n,precision,us_per_step,speedup" >table
    for (i = 1; i <= count; i++) {
        s = order[i]
        if (kind == "bars") {
            printf "%g \"%s\" \"%s\"\n", values[s, 1], label_of(s), text[s] >data
            print row[s] >table
        } else {
            printf "x \"%s\"\n", label_of(s) >data
            for (j = 1; j <= points[s]; j++) print places[s, j], values[s, j] >data
            printf "\n\n" >data
        }
        styles = styles " " style_of(s)
    }
    sub(/\{n\}/, commas(size[order[1]]), title)
    print "title = " quoted(title)
    print "x = " quoted(x)
    print "y = " quoted(y)
    print "logarithmic = " quoted(log_axes)
    print "styles = " quoted(styles)
    print "device = " quoted(device)
    printf "xmin = %g\nxmax = %g\nymin = %g\nymax = %g\n", xmin, xmax, ymin, ymax
}
