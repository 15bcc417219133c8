# evaluations.gp - errors against evaluations of the right-hand side, a curve for each method.
# gnuplot -e "name = 'NAME'; methods = 'A B'" evaluations.gp draws NAME.svg from NAME.csv, which
# `eulercl compare --csv NAME.csv` wrote with one backend. Errors above 1 are left out.
#
# SPDX-License-Identifier: BSD-2-Clause
set terminal svg size 640,420 dynamic background '#ffffff' font 'sans-serif,13'
set output name.'.svg'
set datafile separator ','
set datafile columnheaders
set datafile missing NaN
# Colours that colour-blind readers can tell apart (after Okabe and Ito).
colours = '#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #7F5F3F'
set border 3 linecolor rgb '#404040'
set tics nomirror textcolor rgb '#202020'
set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1
set logscale xy
set format x '10^{%L}'
set format y '10^{%L}'
set yrange [*:1]
set xlabel 'evaluations of the right-hand side'
set ylabel 'largest error'
set key outside right top Left reverse samplen 2 spacing 1.2
is(method) = strcol('method') eq method && column('error') <= 1
plot for [i = 1:words(methods)] name.'.csv' using \
    (is(word(methods, i)) ? column('rhs_evaluations') : NaN):(column('error')) \
    with linespoints linecolor rgb word(colours, i) linewidth 2 pointtype i + 3 pointsize 0.7 title word(methods, i)
