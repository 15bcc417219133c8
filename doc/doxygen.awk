# The headers as Doxygen reads them. In the headers a comment that stands before a declaration or behind a field is what documents it, in plain C; this makes
# them Doxygen's kinds of comments, and the lines "/* ---- name ---- */" groups.
FNR == 1 && sub(/^\/\* /, "/** @file\n * ") { print; in_head = 1; next }
# The description of a file: what is indented in it is shown as it stands.
in_head {
    if (/SPDX-License-Identifier/)
        $0 = " *"
    is_code = /^ \*  +[^ ]/
    if (is_code && !was_code)
        print " *"
    if (is_code)
        sub(/^ \*/, " *     ")
    else
        gsub(/#/, "\\#")
    was_code = is_code || was_code && /^ \*$/
    in_head = !/\*\//
    print
    next
}
/^\/\* ---- / {
    name = $0
    gsub(/^\/\* -+ | -+ \*\/$/, "", name)
    close_group()
    if (name ~ /^from here on/)
        exit
    print "/** @name " name "\n * @{ */"
    is_open = 1
    next
}
function close_group() {
    if (is_open)
        print "/** @} */"
    is_open = 0
}
/^#ifdef __cplusplus/ && is_open { close_group() }
{
    if (!in_comment)
        sub(/^ *\/\* /, "/** ") || sub(/\/\* /, "/**< ")
    in_comment = /\/\*/ ? !/\*\// : in_comment && !/\*\//
    print
}
