/* SPDX-License-Identifier: BSD-2-Clause */
/* live.c - eulercl live: becomes python3 -m eulercl.live, if the Python package is there. */
#include "config.h"

#include "command/commands.h"
#include "shared/message.h"
#include "shared/processes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* %d: the exit status for a package that is missing. */
static const char script[] =
    "import sys\n"
    "try:\n"
    "    from eulercl._live_command import main\n"
    "except ImportError as error:\n"
    "    print('eulercl: live needs the Python package eulercl (Debian: python3-eulercl; else '\n"
    "          f'make wheel, and pip install the wheel): {error}', file=sys.stderr)\n"
    "    sys.exit(%d)\n"
    "sys.exit(main(sys.argv[1:]))\n";

int live_main(int argc, char **argv) {
    static char python[] = "python3", option[] = "-c";
    char text[sizeof script + 16];
    if (process_count() > 1)
        return fail(EULERCL_UNSUPPORTED, "live: runs as one process, not as %d", process_count());
    char **const arguments = calloc((size_t)argc + 3, sizeof *arguments);
    if (arguments == NULL) return fail(EULERCL_MEMORY, "no memory for the arguments");
    snprintf(text, sizeof text, script, EULERCL_UNSUPPORTED);
    arguments[0] = python;
    arguments[1] = option;
    arguments[2] = text;
    memcpy(arguments + 3, argv + 1, ((size_t)argc - 1) * sizeof *arguments);
    execvp(python, arguments);
    free(arguments);
    return fail(EULERCL_UNSUPPORTED, "live: cannot run python3: %s (Debian: python3-eulercl)",
        strerror(errno));
}
