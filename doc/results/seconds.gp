# seconds.gp - errors against seconds, a curve for each method and precision: draws
# seconds-500.svg and seconds-2000.svg from seconds.csv. Run it in its folder: gnuplot seconds.gp
#
# SPDX-License-Identifier: BSD-2-Clause
set terminal svg size 640,420 dynamic background '#ffffff' font 'sans-serif,13'
set datafile separator ','
set datafile columnheaders
set datafile missing NaN
# Colours that colour-blind readers can tell apart (after Okabe and Ito).
colours = '#0072B2 #56B4E9 #D55E00 #E69F00 #009E73 #CC79A7'
set border 3 linecolor rgb '#404040'
set tics nomirror textcolor rgb '#202020'
set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1
set logscale xy
set format x '10^{%L}'
set format y '10^{%L}'
set xlabel 'seconds'
set ylabel 'largest error over largest value'
set key outside right top Left reverse samplen 2 spacing 1.2
is(curve, size) = strcol('method').' '.strcol('precision') eq curve && \
    strcol('system') eq 'bruss2d m='.size
do for [size in '500 2000'] {
    curves = '"euler float" "euler double" "rock2 float" "rock4 double" '. \
        (size eq '500' ? '"rock2 double"' : '"rkl2 float"')
    set output 'seconds-'.size.'.svg'
    plot for [i = 1:words(curves)] 'seconds.csv' using \
        (is(word(curves, i), size) ? column('seconds') : NaN):(column('error')) \
        with linespoints linecolor rgb word(colours, i) linewidth 2 pointtype i + 3 pointsize 0.7 \
        title word(curves, i)
}
