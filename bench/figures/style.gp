# bench/figures/style.gp - settings of all figures: colours that colour-blind readers can distinguish
# (after Okabe and Ito), texts, axes.
set terminal svg size 720,480 dynamic background '#ffffff' font 'sans-serif,14' linewidth 1
set output output
set encoding utf8
set termoption noenhanced
colours = "#000000 #999999 #0072B2 #56B4E9 #E69F00 #D55E00 #7F5F3F #009E73 #CC79A7 #882255"
points = "7 6 5 4 9 8 11 13 12 15"
do for [i = 1:10] {
    set linetype i linecolor rgb word(colours, i) linewidth 2 pointtype int(word(points, i)) pointsize 0.7
    set linetype (20 + i) linecolor rgb word(colours, i) linewidth 2 dashtype (6, 5) pointtype int(word(points, i)) pointsize 0.7
}
set label title at screen 0.5,0.955 center font ',16'
set tmargin 3
set border 3 linecolor rgb '#404040'
set tics nomirror textcolor rgb '#202020'
set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1
if (device ne '') set label device at screen 0.015,0.022 left font ',11' textcolor rgb '#707070'
