# The headers as Doxygen reads them. A plain comment of C before a declaration or behind a field documents it. This turns them into Doxygen's kinds of
# comments, and the lines "/* ---- name ---- */" into groups.
FNR == 1 && /SPDX-License-Identifier/ { print ""; next }
FNR == 2 && sub(/^\/\* /, "/** @file\n * ") { print; in_head = !/\*\//; next }
# The description of a file: what is indented in it is shown as it is.
in_head {
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
    close_groups()
    open_group(name)
    next
}
/^}/ { end_struct() }
/^#ifdef __cplusplus/ { close_groups() }
{
    if (!in_comment) {
        sub(/^ *\/\* /, "/** ") || sub(/\/\* /, "/**< ")
        is_line = /^\/\*.*\*\/$/
    }
    in_comment = /\/\*/ ? !/\*\// : in_comment && !/\*\//
    if (/\/\*/ || in_comment || /\*\/$/) {
        gsub(/%/, "\\%")
        gsub(/\.\. /, "..\\&nbsp;")                 # no end of a sentence, here and below
        gsub(/ch\. /, "ch.\\&nbsp;")
        gsub(/sec\. /, "sec.\\&nbsp;")
        gsub(/e\.g\. /, "e.g.\\&nbsp;")
    }
}
# A line of comment inside a struct, before a field that has a comment of its own, is about all that follow.
held != "" {
    if (/\/\*\*</) {
        end_struct()
        gsub(/^\/\*\* |\.? \*\/$/, "", held)
        open_group(held)
        in_part = in_struct = 1
    } else
        print held
    held = ""
}
is_line && in_struct { held = $0; next }
/^(typedef )?struct [a-z_]+ \{/ { in_struct = 1 }
{ print }
function end_struct() {
    if (in_part)
        close_group()
    in_part = in_struct = 0
}
function open_group(title) {
    print "/** @name " title "\n * @{ */"
    depth++
}
function close_group() {
    print "/** @} */"
    depth--
}
function close_groups() {
    while (depth > 0)
        close_group()
}
