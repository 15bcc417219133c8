/* SPDX-License-Identifier: BSD-2-Clause */
/* stop.h - the signals that stop the command, and the private files that are removed then. */
#ifndef CLI_SHARED_STOP_H
#define CLI_SHARED_STOP_H

/* The first SIGINT, SIGTERM, SIGHUP or SIGXCPU asks for a stop; another one ends the command at
   once, as if it were not caught. Call it again after code that may have set handlers. */
void catch_signals(void);
/* Writing to a file beyond its size limit becomes an error and does not end the command. */
void catch_file_limit(void);
/* Ask for a stop, from any thread. */
void ask_to_stop(void);
/* Has a signal or ask_to_stop() asked for a stop? */
int is_stopping(void);
/* The name of the signal that asked for a stop, or NULL. */
const char *stop_signal(void);
/* The signal that asked for a stop as a number from 1 on, or 0. */
int stop_number(void);
const char *stop_name(int number);
/* EULERCL_CANCELLED once a signal has asked for a stop, else EULERCL_OK. */
int check_interrupt(void);
/* 1, as at the beginning: the code that runs from now on may never return, for example that of a
   FILE.c. Ten seconds after a signal the command then ends even if nothing has reacted. 0: it
   returns, and is worth waiting for. */
void may_hang(int hangs);

/* These enclose the creation of a private file, which is removed if a signal ends the command at
 * once, until it is released. path NULL: no file was created. */
void begin_private(void);
void end_private(const char *path);
/* Guard a file in a private folder, or a folder. */
void guard_file(const char *path);
void release_file(const char *path);

#endif
