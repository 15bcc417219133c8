# bench/figures/bars.gp - draw a horizontal bar for each line of `data`; its length is the speedup
# over the first line.
bars = words(styles)
left = ymin < 1 ? ymin / 1.5 : 0.7
set style fill solid
set xlabel "speedup over one thread"
set logscale x
set xrange [left:ymax * (ymax / left)**0.4]
set format x '%g'
set yrange [bars - 0.4:-0.6]
set ytics scale 0
set grid noytics
unset key
plot data using (left):0:(left):1:($0 - 0.33):($0 + 0.33):(int(word(styles, int($0) + 1))):ytic(2) with boxxyerror linecolor variable, \
     data using 1:0:3 with labels left offset 0.7,0 font ',13'
