# The number of spots, their size, and the length scale: pattern.csv becomes pattern.svg.
set terminal svg size 640,420 background "white" font "sans,13"
set output "pattern.svg"
set datafile separator comma
set xlabel "t"
set ylabel "spots; points of a spot"
set y2label "length scale in points"
set ytics nomirror
set y2tics
set yrange [0:*]
set y2range [0:*]
set key bottom right
plot "pattern.csv" using 2:"euler:1:0.2:euler" with lines linewidth 2 title "spots", \
     "" using 2:(column("euler:1:0.2:size")/column("euler:1:0.2:euler")) with lines linewidth 2 title "points of a spot", \
     "" using 2:"length:1" axes x1y2 with lines linewidth 2 title "length scale"
