/* SPDX-License-Identifier: BSD-2-Clause */
/* commands.h - the subcommands, one file each. */
#ifndef CLI_COMMAND_COMMANDS_H
#define CLI_COMMAND_COMMANDS_H

int list_main(int argc, char **argv);
int devices_main(int argc, char **argv);
int info_main(int argc, char **argv);
int solve_main(int argc, char **argv);
int live_main(int argc, char **argv);
int tune_main(int argc, char **argv);
int wisdom_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int compare_main(int argc, char **argv);
int check_main(int argc, char **argv);
int new_main(int argc, char **argv);

#endif
