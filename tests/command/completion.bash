# completion.bash COMPLETION WORD... - the candidates for the last word, one a line, as readline would ask for them.
. "${BASH_COMPLETION:-/usr/share/bash-completion/bash_completion}" || exit 1
. "$1" || exit 1
shift
COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COMP_KEY=9 COMP_WORDS=()
for word; do    # readline divides at = and :, too
    parts=$(sed -E 's/[=:]/\n&\n/g' <<<"$word")
    while IFS= read -r part || [ -z "$word" ]; do
        [ -n "$part" ] || [ -z "$word" ] && COMP_WORDS+=("$part")
        [ -n "$word" ] || break
    done <<<"$parts"
    case $word in *[=:]) COMP_WORDS+=("") ;; esac
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_eulercl
printf '%s\n' "${COMPREPLY[@]}"
