#!/bin/sh
# cc for tests that name the same problem many times, as CC of the command: the same text with the same words gives a copy of what it gave before.
# Copied to where the test keeps its files: what was compiled lies beside it.
store=${0%/*}/compiled
source='' output='' words='' before=''
for word; do
    case $before,$word in
    -o,*) output=$word ;;
    -I,* | *,-I | *,-o) ;;
    *) words="$words $word" ;;
    esac
    [ "${word%.c}" = "$word" ] || source=$word
    before=$word
done
copy=$store/$({ echo "$words"; cat "$source"; } | cksum | tr ' ' -).so
if [ ! -f "$copy" ]; then
    cc "$@" || exit
    mkdir -p "$store"
    cp "$output" "$copy"
    echo "$words" >>"$store/words"
else
    cp "$copy" "$output"
fi
