# bench/figures/lines.gp - draw a line for each block of `data`, with the legend above the axes.
names = "n threads workgroup_size workgroups steps_per_launch"
array texts[5] = ["size n, components", "threads", "work-items per work-group", "work-groups", "cut-off, steps per launch"]
do for [i = 1:5] { if (word(names, i) eq x) { set xlabel texts[i] } }
set ylabel y eq 'time' ? "kernel time per step, µs" : y eq 'speedup' ? "speedup" : "time per step and component, ps"
number(v) = x eq 'n' ? gprintf('%.0s%c', v) : sprintf('%g', v)
plain(v) = v < 1 ? sprintf('%g', v) : sprintf('%.0f', v)
marks(low, high) = high / low > 2000 ? "1" : "1 2 5"
set format x x eq 'n' ? '%.0s%c' : '%g'
set format y '%g'
set xrange [0:xmax * 1.03]
set yrange [0:ymax * 1.08]
if (strstrt(logarithmic, 'x')) {
    set logscale x
    set xrange [xmin / 1.15:xmax * 1.15]
    set xtics ("" 1e-30)
    set for [e = 0:9] for [m in marks(xmin, xmax / 2)] xtics add (number(m * 10.0**e) m * 10.0**e)
}
if (strstrt(logarithmic, 'y')) {
    set logscale y
    set yrange [ymin / 1.3:ymax * 1.3]
    set ytics ("" 1e-30)
    set for [e = -4:9] for [m in marks(ymin, ymax)] ytics add (plain(m * 10.0**e) m * 10.0**e)
}
rows = words(styles) > 2 ? (words(styles) + 1) / 2 : words(styles) - 1
set tmargin 3 + 1.25 * rows
set key at screen 0.53,0.925 center top horizontal Left reverse maxcols 2 samplen 2.5 spacing 1.15 font ',13'
if (rows == 0) { unset key }
plot for [i = 1:words(styles)] data index i - 1 using 1:2 with linespoints linetype int(word(styles, i)) title columnheader(2)
