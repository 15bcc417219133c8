/* SPDX-License-Identifier: BSD-2-Clause */
/* eulercl.h - solve y' = f(t, y), y(t0) = y0, by explicit, stabilised and symplectic methods, on
 * CPUs or through OpenCL.
 *
 * The systems are large and of stencil type: component j of f reads only y[j-k .. j+k], where k is
 * the access distance (Korch & Rauber, "Optimizing locality and scalability of embedded Runge-Kutta
 * solvers using block-based pipelining", JPDC 66, 2006; J. Kulbe, Bayreuth Reports on Parallel and
 * Distributed Systems 3, 2012). One step of size h is y[j] <- fma(h, f_j(t, y), y[j]) for all j
 * (Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", sec. I.7). Every backend
 * returns the same bits.
 *
 * A run consists of these calls:
 *
 *     eulercl_error error;                       // functions also accept NULL
 *     eulercl_problem *problem;
 *     eulercl_solver *solver;
 *     eulercl_options options;
 *     eulercl_options_init(&options);
 *     options.h = 1e-4;
 *     eulercl_problem_open("bruss2d", &problem, &error);
 *     eulercl_problem_set(problem, "m", 200, &error);
 *     eulercl_solver_create(problem, &options, &solver, &error);
 *     eulercl_set_initial_state(solver, &error);
 *     eulercl_advance(solver, 1000, &error);     // any number of times; the state stays where
 *                                                // the backend computes
 *     eulercl_get_state(solver, y, &error);
 *     eulercl_solver_destroy(solver);
 *     eulercl_problem_destroy(problem);
 *
 * Conventions. A function that can fail returns an enum eulercl_status (0: success) and fills the
 * caller's error record. A call that fails writes nothing into the caller's arrays and output
 * pointers; a call that succeeds does not change the error record. Passing NULL for a required
 * pointer is INVALID. NULL is allowed for the error record, for options (all defaults), for arrays
 * of no elements, and where the description says so. A solver or a problem may be used by one
 * thread at a time (except eulercl_snapshot_next); different ones may be used by different threads
 * at the same time. Times are in the problem's unit of time, sizes in components (one component is
 * one real), seconds are wall-clock seconds.
 *
 * After fork() the child may use problems, and solvers on the CPU, which start threads of their own
 * there. OpenCL drivers do not work in the child of a process that used them: functions that need a
 * driver return NO_DEVICE, and a solver's device memory remains the parent's.
 *
 * A callback may call every function here. What it may not do, functions refuse (eulercl_observer);
 * a problem that it changes or destroys does not affect the call that it was called by.
 *
 * A C++ exception may leave an observer of eulercl_advance. The solver is then in the state after
 * the last batch of steps, and can continue. If an exception leaves another callback, memory may be
 * lost. longjmp must not leave a callback. */
#ifndef EULERCL_EULERCL_H
#define EULERCL_EULERCL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks every function that the library exports. */
#if defined(__GNUC__)
#define EULERCL_API __attribute__((visibility("default")))
#else
#define EULERCL_API
#endif

/* ---- status ---- */

/* The status that a function returns. The values are pinned: they are also the exit codes of the
 * command. */
enum eulercl_status {
    EULERCL_OK = 0,          /* success */
    EULERCL_INTERNAL = 1,    /* internal error, or a comparison that failed */
    EULERCL_INVALID = 2,     /* unknown, out-of-bounds, non-finite or overflowing name, option,
                                parameter, size or step count */
    EULERCL_NO_DEVICE = 3,   /* no usable OpenCL device, or a library built without OpenCL */
    EULERCL_UNSUPPORTED = 4, /* not supported on this device or by this problem */
    EULERCL_NONFINITE = 5,   /* the solution became infinite or not-a-number */
    EULERCL_FILE = 6,        /* a plug-in that is missing, cannot be loaded or has the wrong ABI */
    EULERCL_MEMORY = 7,      /* not enough memory, on the host or on the device */
    EULERCL_COMPILE = 8,     /* the problem's source did not compile: the record's log says why */
    EULERCL_STEP_SIZE = 9,   /* steps to a tolerance became too small */
    EULERCL_STEP_COUNT = 10, /* there were more steps than options.max_steps */
    EULERCL_CANCELLED = 130  /* the observer asked to stop */
};

/* The error record. It belongs to the caller and needs no allocation; its texts are always
 * terminated. */
typedef struct eulercl_error {
    int32_t code;      /* enum eulercl_status */
    int32_t cl_code;   /* the OpenCL status that caused it, or 0 */
    char message[512]; /* one line of UTF-8, no full stop, no control characters */
    char log[16384]; /* the compiler's messages (EULERCL_COMPILE), else empty; a long text is cut at
                        its end */
} eulercl_error;

/* The name of a status, such as "EULERCL_INVALID"; "?" for an unknown number. */
EULERCL_API const char *eulercl_status_name(int status);
/* A sentence for a status, e.g. "no usable OpenCL device". */
EULERCL_API const char *eulercl_status_text(int status);
/* The library's version, e.g. "0.1.0". */
EULERCL_API const char *eulercl_version(void);

/* ---- problems ---- */

struct ode_problem;
/* A problem with values for its parameters. It is made from a struct ode_problem, see
 * ode_problem.h. */
typedef struct eulercl_problem eulercl_problem;

/* Type of a state's components; the value is their size in bytes. */
enum eulercl_precision {
    EULERCL_FLOAT = 4, /* IEEE binary32, float */
    EULERCL_DOUBLE = 8 /* IEEE binary64, double */
};

/* One parameter of a problem. The strings live as long as the problem. */
typedef struct eulercl_parameter {
    size_t struct_size;   /* set it to sizeof(eulercl_parameter) before the call */
    const char *name;     /* the name for eulercl_problem_set */
    double value;         /* the present value, min <= value <= max */
    double default_value; /* the value when the problem is opened */
    double min;           /* the smallest allowed value */
    double max;           /* the largest allowed value */
    int integer;          /* 1: only whole numbers are allowed */
    const char *unit;     /* e.g. "m^2/s"; "" if the author gave none */
    const char *doc;      /* a description in one line; "" if the author gave none */
} eulercl_parameter;

/* Properties of a problem with its present parameters. The strings live as long as the problem. */
typedef struct eulercl_problem_info {
    size_t struct_size;      /* set it to sizeof(eulercl_problem_info) before the call */
    const char *name;        /* a C identifier */
    const char *title;       /* a description in one line */
    int64_t n;               /* components, >= 1 */
    int64_t access_distance; /* k: component j reads y[j-k .. j+k]; n - 1 or more: all of them */
    int rank;                /* dimensions of the grid: 1, 2 or 3; 0: no grid (general form) */
    int64_t extents[3];      /* grid points along x, y, z: nx, ny, nz; 1 beyond the rank; n, 1, 1
                                without a grid */
    int components;          /* per grid point; component c of point (ix, iy, iz) is y[((iz * ny +
                                iy) * nx + ix) * components + c] */
    size_t parameters;       /* number of parameters */
    int has_exact;           /* 1: eulercl_problem_exact works */
    int has_text; /* 1: runs through OpenCL; 0: the problem has no text and runs on the CPU only */
    int bits_guaranteed; /* 0: the right-hand side calls functions that the library does not know,
                            whose bits may differ between devices */
    const char
        *boundary; /* the rule of all sides: "fixed", "clamp", "mirror", "periodic" ... or
                      "sides": they have several (eulercl_problem_side); NULL without a grid */
    size_t fields; /* number of fields: coefficients per grid point that do not change */
    int has_marks; /* 1: some points may keep their values, or be obstacles: eulercl_problem_marks
                    */
} eulercl_problem_info;

/* Return the name of built-in problem number index (0, 1, ...), or NULL past the last. */
EULERCL_API const char *eulercl_problem_name(size_t index);

/* Open a built-in problem by name, or a file. A name that ends in ".c" is a problem's file, which
 * is compiled as by eulercl_problem_compile; another name that contains a '/' or ends in ".so" is a
 * plug-in. Errors: INVALID (no such problem), FILE (the file is missing; a plug-in is not a
 * loadable library, has the wrong ABI or is broken), MEMORY, and those of eulercl_problem_compile.
 */
EULERCL_API int eulercl_problem_open(
    const char *name_or_path, eulercl_problem **problem, eulercl_error *error);

struct eulercl_options; /* below */

/* How a problem's file is compiled, and what the caller learns of it. All fields but the first may
 * be 0 or NULL. The functions are called by the thread that compiles. */
typedef struct eulercl_compilation {
    size_t struct_size; /* set it to sizeof(eulercl_compilation) before the call */
    /* what is compiled in place of a file, whose name is then only a name for it, without a '/' and
     * without warnings; NULL: the file */
    const char *text;
    /* names of the parameters that will be set, and a NULL: a wrong one is found before the
     * compiler takes its time; NULL: none */
    const char *const *parameters;
    int all_kernels; /* 1: code for every instruction set; 0: for the best of this processor */
    int no_cache;    /* 1: neither use nor keep the result of a former compilation */
    int takes_turns; /* 1: of processes that compile the file at the same time the others wait for
                        the first, and use its result */
    /* called while the compiler runs, at least once a second and when a signal has arrived, with
     * the seconds since it began; nonzero stops it */
    int (*waits)(double seconds, void *user);
    /* called with the compiler's messages about a file that it has compiled */
    void (*warns)(const char *messages, void *user);
    /* called with the path of each private file and folder that may exist from now on (1) or is
     * gone (0), for programs whose signal handlers remove such files */
    void (*guards)(const char *path, int may_exist, void *user);
    void *user;    /* passed to the functions */
    int is_cached; /* set by the call: 1: the result of a former compilation was used */
    /* EULERCL_FLOAT or EULERCL_DOUBLE: fast code for this precision alone, which compiles in about
     * half the time; the other one is computed with the same bits, but component by component. 0:
     * both */
    int precision;
    /* the options of the run that the problem is compiled for. If that run may move
     * (eulercl_options.no_move), the problem begins with *baseline code*, which compiles in a tenth
     * of the time and is slower, and the fast code is compiled in the background while the run
     * makes steps. Then `guards` is called until the problem, its copies and its solvers are
     * destroyed. NULL: the call returns when the fast code is ready */
    const struct eulercl_options *options;
    int is_baseline; /* set by the call: 1: the problem begins with baseline code */
    /* 1: the problem is compiled for eulercl_check: it begins with baseline code, and the fast code
     * is compiled in the background from eulercl_check or eulercl_problem_optimize on; `guards` as
     * above. 0: it is not */
    int for_check;
} eulercl_compilation;

/* Compile a problem's file (ode_problem.h) with the C compiler that the environment names in CC
 * (default: cc), and open the result. compilation may be NULL. The headers are the library's own.
 * The compiler works in a private folder in TMPDIR, which is removed. A result is kept in
 * $XDG_CACHE_HOME/eulercl/compiled or ~/.cache/eulercl/compiled, so that the same text is compiled
 * once. Errors: FILE (the file cannot be read, or there is no room for the compiler's files),
 * INVALID (compilation->struct_size is 0; a wrong name of a parameter; the problem contradicts
 * itself), COMPILE (the message has the first error and its line, error->log the compiler's
 * messages; or there is no compiler), CANCELLED (waits asked to stop), MEMORY, UNSUPPORTED (the
 * library was built without this part; a text where the C library has no
 * posix_spawn_file_actions_addchdir_np), INTERNAL. */
EULERCL_API int eulercl_problem_compile(const char *file, eulercl_compilation *compilation,
    eulercl_problem **problem, eulercl_error *error);

/* If the problem began with baseline code, compile its fast code in the background from now on, for
 * this process and for those that it has forked; else do nothing. Whether that succeeds, its users
 * find out. */
EULERCL_API void eulercl_problem_optimize(const eulercl_problem *problem);

/* Make a problem from a definition that is compiled into the program, e.g. &ode_problem_heat. The
 * struct must outlive the problem and every solver made from it. Errors: FILE (wrong ABI), INVALID
 * (a struct that contradicts itself), MEMORY. */
EULERCL_API int eulercl_problem_create(
    const struct ode_problem *definition, eulercl_problem **problem, eulercl_error *error);

/* Make a problem with the same definition and values. Errors: MEMORY. */
EULERCL_API int eulercl_problem_copy(
    const eulercl_problem *problem, eulercl_problem **copy, eulercl_error *error);

/* Set a parameter. Errors: INVALID (no such parameter; a value that is not finite, out of bounds or
 * not a whole number; a size that overflows). */
EULERCL_API int eulercl_problem_set(
    eulercl_problem *problem, const char *name, double value, eulercl_error *error);

/* Choose the parameter that sets the size (the first integer one) so that the system has n
 * components, 1 <= n. Errors: INVALID; if no value gives n, the message names the nearest sizes
 * that exist. */
EULERCL_API int eulercl_problem_set_size(eulercl_problem *problem, int64_t n, eulercl_error *error);

/* Return the properties of the problem with its present parameters. Errors: INVALID
 * (info->struct_size is 0). */
EULERCL_API int eulercl_problem_get_info(
    const eulercl_problem *problem, eulercl_problem_info *info, eulercl_error *error);
/* Return parameter number index, 0 <= index < info.parameters. Errors: INVALID. */
EULERCL_API int eulercl_problem_get_parameter(const eulercl_problem *problem, size_t index,
    eulercl_parameter *parameter, eulercl_error *error);

/* Return the name of boundary rule number index (0, 1, ...), as in info.boundary, or NULL past the
 * last. The word of ode_problem.h for it is ODE_ and the name in capitals. Rules that only
 * ODE_SIDES gives are not among them. */
EULERCL_API const char *eulercl_boundary_name(size_t index);
/* Return the name of the rule of a side: the lower (is_high = 0) or upper end of axis 0, 1 ... (x,
 * y): one of those, or "value", "gradient", "ghost"; NULL for an axis that the grid does not have.
 */
EULERCL_API const char *eulercl_problem_side(const eulercl_problem *problem, int axis, int is_high);

/* Return the name of field number index, 0 <= index < info.fields, or NULL past the last. It lives
 * as long as the problem. */
EULERCL_API const char *eulercl_problem_field_name(const eulercl_problem *problem, size_t index);

/* Set a field: one value per grid point, in the order of the points in a state (float or double,
 * according to precision). The problem keeps a copy of the array, which solvers that are made from
 * now on use in place of what the problem computes itself (ODE_FIELD_VALUES). The array fits the
 * size that the problem has now: where parameters change the size later, making a solver fails.
 * Errors: INVALID (no such field; a value that is not finite), MEMORY. */
EULERCL_API int eulercl_problem_set_field(eulercl_problem *problem, const char *name,
    enum eulercl_precision precision, const void *values, eulercl_error *error);
/* Write a field into values, one per grid point: what was set, or what the problem computes itself.
 * Errors: INVALID (no such field; it was neither set nor is computed; it was set for another size),
 * MEMORY. */
EULERCL_API int eulercl_problem_get_field(const eulercl_problem *problem, const char *name,
    enum eulercl_precision precision, void *values, eulercl_error *error);

/* What a mark says of a grid point. */
enum eulercl_mark {
    EULERCL_MOVES = 0,
    EULERCL_STILL = 1,   /* it keeps its values (ODE_STILL) */
    EULERCL_OBSTACLE = 2 /* it keeps them, and nothing flows through its faces (ODE_OBSTACLE) */
};
/* Write the marks of all grid points, enum eulercl_mark, which follow from the fields in this
 * precision, into marks, one byte per point in the order of the points in a state. Errors: INVALID
 * (as eulercl_problem_get_field), MEMORY. */
EULERCL_API int eulercl_problem_marks(const eulercl_problem *problem,
    enum eulercl_precision precision, unsigned char *marks, eulercl_error *error);

/* Set the initial state: y[0 .. n-1] (float or double, according to precision) takes the place of
 * what the problem computes itself (ODE_INITIAL). The problem keeps a copy of the array, for the
 * size that it has now, as of a field. Errors: INVALID, MEMORY. */
EULERCL_API int eulercl_problem_set_initial(eulercl_problem *problem,
    enum eulercl_precision precision, const void *y, eulercl_error *error);

/* Write components first .. first + count - 1 of the problem's initial state into y[0 .. count-1]
 * (float or double, according to precision). Errors: INVALID (range; it was set for another size),
 * UNSUPPORTED (the problem has none). */
EULERCL_API int eulercl_problem_initial(const eulercl_problem *problem,
    enum eulercl_precision precision, int64_t first, int64_t count, void *y, eulercl_error *error);
/* Compute components of the exact solution of the system (not of the Euler method) at time t,
   started at time 0 from the initial state that the problem computes. Errors: as above. */
EULERCL_API int eulercl_problem_exact(const eulercl_problem *problem, double t,
    enum eulercl_precision precision, int64_t first, int64_t count, void *y, eulercl_error *error);

/* Free a problem. Solvers that were made from it remain usable. NULL is allowed. */
EULERCL_API void eulercl_problem_destroy(eulercl_problem *problem);

/* Verify that a problem's parameter or derived constant can have this name: not one that already
 * has a meaning in C, OpenCL C or the equations, such as NULL, half or n. Errors: INVALID. */
EULERCL_API int eulercl_verify_name(const char *name, eulercl_error *error);
/* Verify the names in the text of a problem's file, text[0 .. length-1]: those of all parameters
 * and derived constants, and those of its settings, `#define ODE_...`, which must be known and come
 * before the #include of ode_problem.h. The message begins with the number of the line. Opening a
 * problem does this, too, but a compiler comes first. Errors: INVALID. */
EULERCL_API int eulercl_verify_names(const char *text, size_t length, eulercl_error *error);

/* ---- devices and backends ---- */

/* An OpenCL device. Sizes are in bytes. */
typedef struct eulercl_device_info {
    size_t struct_size; /* set it to sizeof(eulercl_device_info) before the call */
    char id[32]; /* "P:D", the numbers of platform and device as in clinfo; options.device accepts
                    it */
    /* name as given by its driver, cut if longer; so are the next three texts */
    char name[256];
    char vendor[256];              /* vendor of the device */
    char driver[256];              /* version of the driver */
    char platform[256];            /* the OpenCL implementation */
    int is_gpu;                    /* 1: a GPU */
    int is_cpu;                    /* 1: a processor */
    int has_double;                /* 1: supports double (cl_khr_fp64) */
    uint32_t compute_units;        /* number of compute units */
    uint64_t global_bytes;         /* its memory */
    uint64_t max_allocation_bytes; /* largest size of one buffer */
    uint64_t local_bytes;          /* local memory of a work-group */
    uint64_t max_workgroup_size;   /* work-items per work-group, at most */
    /* on an NVIDIA device 10 times the major number plus the minor one, 90 for an H200; on others
     * 0 */
    uint32_t compute_capability;
} eulercl_device_info;

/* Return OpenCL device number index (0, 1, ... over all platforms). Errors: NO_DEVICE past the last
 * one (at 0: there is no device). */
EULERCL_API int eulercl_get_device(size_t index, eulercl_device_info *device, eulercl_error *error);

/* A backend. The strings live as long as the library. */
typedef struct eulercl_backend_info {
    size_t struct_size;          /* set it to sizeof(eulercl_backend_info) before the call */
    const char *name;            /* the name for options.backend */
    const char *doc;             /* a description in one line */
    const char *const *variants; /* NULL-terminated, the default first; may be empty */
    int is_opencl;               /* 1: on an OpenCL device; 0: on the CPU */
} eulercl_backend_info;

/* Return backend number index (0, 1, ...). Errors: INVALID past the last one. */
EULERCL_API int eulercl_get_backend(
    size_t index, eulercl_backend_info *backend, eulercl_error *error);

/* ---- methods ---- */

/* A method that advances y' = f(t, y) by steps. The limits are those of a number of stages: a step
 * of size h is stable for eigenvalues lambda of the Jacobian if h lambda is in -real_limit .. 0, or
 * on the imaginary axis up to imaginary_limit. The strings live as long as the library. */
typedef struct eulercl_method_info {
    size_t struct_size;     /* set it to sizeof(eulercl_method_info) before the call */
    const char *name;       /* the name for options.method */
    const char *doc;        /* its purpose in one line */
    const char *source;     /* where it was published */
    int order;              /* order of accuracy */
    int arrays;             /* arrays of n reals that it works on, the state included */
    int least_stages;       /* the numbers of stages that options.stages may choose */
    int most_stages;        /* equal to least_stages if there is no choice */
    int is_partitioned;     /* 1: only for problems that say which components are positions */
    int stages;             /* stages of a step; the following fields belong to this number */
    int evaluations;        /* evaluations of the right-hand side in a step */
    double real_limit;      /* 0: no step is stable on the negative real axis */
    double imaginary_limit; /* 0: no step is stable on the imaginary axis */
    /* steps can be controlled by an estimate of their errors, which is proportional to h to this
     * power; 0: the method has no estimate */
    int estimate_order;
} eulercl_method_info;

/* Return the name of controller number index (0, 1, ...): how step sizes follow from errors; NULL
 * past the last. */
EULERCL_API const char *eulercl_controller_name(size_t index);

/* Return method number index (0, 1, ...) with this number of stages, as for options.stages; 0: with
 * the fewest. Errors: INVALID (past the last method; stages that it does not have), MEMORY. */
EULERCL_API int eulercl_get_method(
    size_t index, int stages, eulercl_method_info *method, eulercl_error *error);

/* ---- the solver ---- */

/* A run: a problem, the options it was made with, and a state, which stays where the backend
 * computes. */
typedef struct eulercl_solver eulercl_solver;

/* The progress of a run, for observers. */
typedef struct eulercl_progress {
    size_t struct_size;    /* sizeof(eulercl_progress), set by the library */
    int64_t steps_done;    /* steps made by the current call of eulercl_advance */
    int64_t steps_total;   /* steps that the call will make */
    double t;              /* the time reached */
    double kernel_seconds; /* time spent computing in this call */
} eulercl_progress;

/* Called between batches of steps. It may read the solver (get_state, get_components, monitor,
 * observe, snapshot_take, get_stats, borrow_buffer) but neither change nor destroy it. It returns 0
 * to continue, and nonzero to stop: eulercl_advance then returns EULERCL_CANCELLED, and the solver
 * keeps its state and can continue from it. */
typedef int eulercl_observer(eulercl_solver *solver, const eulercl_progress *progress, void *user);

/* A value of options.flush_below. */
#define EULERCL_AS_PROBLEM (-1.0)

/* Places for the tuning parameters of this version of the library, and of later ones. */
enum { EULERCL_TUNING_SLOTS = 32 };

/* How to solve. Call eulercl_options_init first: it sets every field to its default, which is given
 * in brackets. */
typedef struct eulercl_options {
    size_t struct_size;  /* set by eulercl_options_init: the smaller of the caller's and the
                            library's size of the struct. The library accepts every size that
                            contains at least the fields up to tuning, and uses the defaults for
                            fields beyond it */
    const char *backend; /* [NULL = "auto"] a name from eulercl_get_backend; "auto": the planner
                            chooses the backend and all unset tuning parameters. It considers all
                            backends if there is a GPU that can run the problem, only the OpenCL
                            backends if that GPU was named (device, EULERCL_DEVICE) or a queue is
                            given, and otherwise only those of the CPU. It is an error (NO_DEVICE)
                            if the named device does not exist, or if the named GPU cannot run the
                            system; "cpu" excludes GPUs, and needs no OpenCL device here */
    enum eulercl_precision precision; /* [EULERCL_DOUBLE] of the state and the caller's arrays */
    double t0;                        /* [0] initial time, finite */
    double h;           /* [1e-4] step size, finite and > 0, also in the chosen precision */
    const char *method; /* [NULL = "euler"; with rtol: chosen, and changed when another one takes
                           less work] a name from eulercl_get_method */
    int stages;         /* [0] stages of a step, for methods that have a choice; the method takes
                           the next number that it has. 0: as few as are stable near the problem's
                           initial state with step size h */
    double flush_below; /* [EULERCL_AS_PROBLEM] a component whose magnitude is below it becomes 0,
                           after every 16th step (methods of s stages: after every 16/s steps,
                           rounded down, but at least 1); finite and >= 0, also in the chosen
                           precision. 0: nothing becomes 0; EULERCL_AS_PROBLEM: as the problem says
                           (ODE_FLUSH_BELOW). It keeps processors from computing with subnormal
                           numbers, which is slow, where a solution spreads into zeros */
    int64_t tuning[EULERCL_TUNING_SLOTS]; /* [all unset] private: eulercl_options_set sets the
                                             tuning parameters, eulercl_options_get reads them */
    const char *device; /* [NULL] OpenCL backends: "P:D", part of a name, "cpu" or "gpu"; NULL: the
                           environment variable EULERCL_DEVICE, else the first GPU, else the first
                           device */
    int check_finite;   /* [1] 1: search for inf and NaN at the start, at every batch, at the end of
                           an advance, and after many steps; each search costs one pass over the
                           state; a copy of the state is kept if half of the memory is free without
                           it; 0: never */
    int allow_inexact;  /* [0] 1: accept a device that fails the self-test of the bit contract */
    eulercl_observer *observer; /* [NULL] */
    void *observer_user;        /* [NULL] passed to the observer */
    int64_t observer_steps;     /* [0 = about five times a second] steps between two calls of the
                                   observer, >= 0 */
    void *cl_context; /* [NULL] a cl_context of the caller's, which requires cl_queue. The solver
                         retains it */
    void *cl_queue; /* [NULL] an in-order cl_command_queue of that context; its device is used, and
                       options.device is ignored */
    /* The planner, for backend "auto". */
    const char *plan;       /* [NULL = "auto"] "auto": use wisdom, or an estimate without it;
                               "estimate": always use an estimate; "measure": try the most
                               promising configurations when the solver is made, use the fastest,
                               and store it in the wisdom file */
    const char *wisdom;     /* [NULL = $XDG_CACHE_HOME/eulercl/wisdom, or ~/.cache/eulercl/wisdom if
                               that variable is not set] the wisdom file; "": none */
    int64_t expected_steps; /* [0 = many; eulercl_solve: its own] expected number of steps: for few
                               steps a configuration with a long compilation is not chosen; >= 0 */
    int64_t expected_interval; /* [0 = not known] expected number of steps between two looks at the
                                  state: a configuration is better if its launches end there;
                                  >= 0 */
    int device_events;         /* [0] OpenCL: 1: the device's own clock also measures the steps
                                  (stats.device_seconds); a caller's queue must have been made with
                                  CL_QUEUE_PROFILING_ENABLE */
    /* Steps to a tolerance: if rtol > 0, the step sizes, and the stages of methods that have a
     * choice, follow from estimates of the errors. h is not used then, and check_finite has nothing
     * to do after the start. Steps are made in rounds of one size, and the observer is called after
     * the round in which a multiple of observer_steps is reached. */
    double rtol;  /* [0: steps of size h] the error of a step in each component y, as estimated, is
                     at most atol + rtol |y|; finite, >= 0 */
    double atol;  /* [0: as the problem says (ODE_ATOL), else of each unknown, that is component of
                     a grid point, rtol times its own greatest magnitude when the steps begin; if
                     that is 0, see atols] finite, >= 0; a normal number in the chosen precision */
    double h0;    /* [0: chosen] the first step size, finite and >= 0 */
    double h_max; /* [0: none] the largest step size, finite and >= 0 */
    int64_t max_steps;      /* [0: none] accepted and rejected steps of the run, at most; >= 0 */
    const char *controller; /* [NULL = "pi"] a name from eulercl_controller_name */
    double spectral_radius; /* [0: estimated] a bound for the magnitudes of the Jacobian's
                               eigenvalues during the whole run, for rock2, rkc4, rock4 and
                               rkl2; finite, >= 0 */
    double steady; /* [0: never] steps end when no component of dy/dt = f(t, y) has a magnitude
                      above this; in units of y per unit of t; it is looked for after every fourth
                      round of steps; finite, >= 0 */
    const char *devices;   /* [NULL: one device, as `device` says] several devices share the system,
                              in the order of this list of names as for `device`, separated by
                              commas; a name may appear more than once. "all": all GPUs. Each gets
                              rows of the grid (in one dimension points) by its predicted speed, and
                              runs them with `backend`. The bits do not depend on the list. Not with
                              `device` or cl_queue */
    int64_t device_memory; /* [0: nine tenths of the device's memory, if it is an OpenCL device; of
                              the processor, all that the system takes] bytes that the run may take
                              where it computes; >= 0. A system that takes more stays on the host,
                              and streams through the device: windows of the grid are visited in
                              turn, with many steps in each visit. The bits do not depend on it. Not
                              with `devices` */
    const char *state_file; /* [NULL: the state is in memory] a path, where no file may be yet: the
                               state is in that file, and streams from there as with device_memory,
                               without which it may take half of the host's memory, or nine tenths
                               of the device's. The file has no name as soon as it is open, so
                               nothing is left of it. Not with `devices` */
    const double *breakpoints; /* [NULL] times at which the right-hand side may jump, finite, in any
                                  order, besides those of the problem (ODE_BREAKPOINTS): a step ends
                                  at each of them, and steps to a tolerance begin anew behind it.
                                  The right-hand side is not evaluated at a breakpoint, but only
                                  before and after it. The solver copies them */
    int64_t breakpoint_count;  /* [0] number of breakpoints, >= 0 */
    const double *atols; /* [NULL] an atol for each unknown, as many as a grid point has components
                            (general form: one), each as `atol`; not with that. The solver copies
                            them. An unknown that is 0 everywhere when the steps begin, and has no
                            atol, gets one when it is not: of the first steps that its errors make
                            too large, a few are made with a size that is stable, and its greatest
                            magnitude in them times rtol is its atol. That grows with the unknown:
                            its magnitude is looked at after 1, 2, 4, ... rounds of steps */
    int64_t atol_count;  /* [0] of atols */
    double expected_end; /* [0: not known] with rtol: the time at which the run is expected to end,
                            as far as it is after t0: for a short run a configuration with a long
                            compilation is not chosen. Finite; the bits do not depend on it */
    int no_move;         /* [0] 0: a run whose configuration is chosen ("auto", without tuning
                            parameters), or of seq, may begin with code that is ready soon, and move
                            to faster code between two steps when a thread has compiled that. A run
                            on a device does not need that code. 1: it waits for the fast code. The
                            bits do not depend on it */
} eulercl_options;

/* Set every field to its default. Call it before any other use of the struct. */
#define eulercl_options_init(options) eulercl_options_init_size((options), sizeof(eulercl_options))
/* Initialise options from other languages: size is the size of the caller's struct, which may be
 * older than the library's and have fewer fields. */
EULERCL_API void eulercl_options_init_size(eulercl_options *options, size_t size);
/* Check options before a problem is opened. eulercl_solver_create makes the same checks, and more.
 * NULL: all defaults. Errors: INVALID (a number out of range; an unknown backend, variant or other
 * name), NO_DEVICE (a named device does not exist). */
EULERCL_API int eulercl_options_verify(const eulercl_options *options, eulercl_error *error);

/* The kinds of options and tuning parameters. */
enum eulercl_tuning_kind {
    EULERCL_NUMBER = 0,   /* a whole number within bounds */
    EULERCL_SWITCH = 1,   /* 0 or 1; for a tuning parameter 0 is the default */
    EULERCL_CHOICE = 2,   /* one of some names */
    EULERCL_REAL = 3,     /* a finite number */
    EULERCL_POSITIVE = 4, /* a finite number > 0; the default is 0, which is not a value */
    EULERCL_NAME = 5      /* a name or a path */
};

/* An option that is a number or a name: a field of eulercl_options. The strings live as long as the
 * library. */
typedef struct eulercl_option_info {
    size_t struct_size; /* set it to sizeof(eulercl_option_info) before the call */
    const char *name;   /* of the field, for eulercl_options_set */
    const char *doc;    /* a description in one line, in the words of the command's --help */
    int kind;           /* enum eulercl_tuning_kind */
    int64_t least;      /* lower bound of a whole number or a switch */
    int64_t most;       /* upper bound of it; 0 for other kinds */
    /* its value in --help of the command, e.g. "DEVICE"; "": the command has no such option, or
     * reads it in another form */
    const char *word;
    const char *default_text; /* the default, in words; "": none */
    int is_for_tolerance;     /* 1: it means nothing without rtol */
} eulercl_option_info;

/* Return option number index (0, 1, ...); eulercl_get_tuning returns the tuning parameters. Errors:
 * INVALID past the last one. */
EULERCL_API int eulercl_get_option(size_t index, eulercl_option_info *info, eulercl_error *error);

/* A tuning parameter: it changes how fast a system is solved, and never the result. The strings
 * live as long as the library. */
typedef struct eulercl_tuning_info {
    size_t struct_size; /* set it to sizeof(eulercl_tuning_info) before the call */
    const char *key;    /* the key for eulercl_options_set, e.g. "workgroup_size" */
    const char *doc;    /* a description in one line */
    int kind;           /* enum eulercl_tuning_kind */
    int64_t least;      /* lower bound of a number; 0 for a switch or a choice */
    int64_t most;       /* upper bound of a number; 1 for a switch; 0 for a choice */
    /* names of a choice, NULL-terminated; NULL for a number, for a switch, and for "variant", whose
     * names eulercl_get_backend lists */
    const char *const *choices;
    const char *unit; /* unit of a number, e.g. "steps"; "": no unit */
    /* the value while it is unset; "": off for a switch, else chosen from the device and the
     * system */
    const char *default_text;
    const char *backends; /* the backends that have it, separated by spaces */
    int is_thesis;        /* 1: it repeats an experiment of the thesis, and is of no other use */
} eulercl_tuning_info;

/* Return tuning parameter number index (0, 1, ...). Errors: INVALID past the last one. */
EULERCL_API int eulercl_get_tuning(size_t index, eulercl_tuning_info *info, eulercl_error *error);
/* Set an option, a field or a tuning parameter: eulercl_options_set(&options, "dia_blocks", "12",
 * &error). Fields are those that eulercl_get_option lists: all but arrays, callbacks and handles. A
 * name or a path that is not in a list of the library is not copied, so it must live as long as the
 * options. NULL sets the default; so does "auto", but for names. The text of other values need not
 * outlive the call. A value that contradicts other options is found by eulercl_options_verify. A
 * solver is not made if its backend lacks a tuning parameter that selects what runs (`variant`,
 * tiles and the like); others that it lacks are ignored, and eulercl_options_verify reports them.
 * Backend "auto" takes one that has them. Errors: INVALID (no such option, no such value); the
 * options are then unchanged. */
EULERCL_API int eulercl_options_set(
    eulercl_options *options, const char *name, const char *value, eulercl_error *error);
/* Write the value as text into value[0 .. size-1]; "auto" where the library chooses it. 64 bytes
 * are enough for all but names and paths. Errors: INVALID (no such option, size is too small). */
EULERCL_API int eulercl_options_get(const eulercl_options *options, const char *name, char *value,
    size_t size, eulercl_error *error);

/* The kinds of facts. */
enum eulercl_fact_kind {
    EULERCL_COUNT = 0, /* a number that is the same during the whole run */
    EULERCL_TOTAL = 1, /* a number that grows with the steps */
    EULERCL_TEXT = 2   /* a name */
};

/* A fact that only some backends know about a run: how large its tiles are, how many bytes it has
 * moved. The strings live as long as the library. */
typedef struct eulercl_fact {
    const char *name; /* e.g. "tiles"; a tuning parameter that was chosen has its key as name */
    const char *unit; /* unit of a number, e.g. "bytes"; "": no unit */
    int kind;         /* enum eulercl_fact_kind */
    uint64_t number;  /* value of a count or a total */
    const char *text; /* value of a text; else "" */
} eulercl_fact;
/* The largest number of facts of a run. */
enum { EULERCL_MOST_FACTS = 24 };

/* Statistics of a solver. The strings live as long as the solver. */
typedef struct eulercl_stats {
    size_t struct_size;               /* set it to sizeof(eulercl_stats) before the call */
    const char *backend;              /* given or chosen */
    const char *variant;              /* likewise; "" if the backend has no variants */
    const char *device;               /* name of the OpenCL device or of the processor */
    const char *device_id;            /* "P:D", or "" on the CPU */
    enum eulercl_precision precision; /* as in the options */
    int64_t n;                        /* components */
    /* steps done since the solver was made; after eulercl_solver_resume including those of the
     * clock */
    int64_t steps;
    double t;              /* the time reached */
    uint64_t launches;     /* kernel launches that computed steps; CPU: passes over the state */
    uint64_t device_bytes; /* bytes allocated by the backend where it computes: state and copies,
                              coefficient fields, snapshots, exchange buffers */
    uint64_t threads;      /* threads of the CPU backends; 0 for OpenCL */
    double setup_seconds;  /* choice of the device, buffers, threads; without the build */
    double build_seconds;  /* compilation of the OpenCL program */
    double upload_seconds; /* time of set_state, set_components and set_initial_state */
    double kernel_seconds; /* wall time of the steps, from the first enqueue to the finish, without
                              transfers and checks */
    double download_seconds; /* time of get_state and get_components */
    /* a choice of "auto" that could not be made; or a warning of more threads than cores, or of
     * times that are equal in float; or the reason why check_finite keeps no copy of the state; or
     * "" */
    const char *note;
    uint64_t steps_per_launch; /* steps by which each launch (CPU: pass) advances the state */
    const char *plan; /* how "auto" chose the backend: "wisdom", "estimate", "measured"; "" if the
                         backend was given */
    /* in one line: predictions for it and the next best; "" if the backend was given */
    const char *plan_reason;
    double predicted_seconds;  /* predicted time of a step; 0: not predicted */
    double device_seconds;     /* time in kernels by the device's clock, from the start of the first
                                  kernel to the end of the last, per advance (with an observer: per
                                  batch); 0 without device_events */
    const char *method;        /* as in the options, or chosen */
    const char *method_reason; /* in one line: why it was chosen, and the next best; "" if not */
    int order;                 /* order of the method */
    int stages;                /* stages of a step, given or chosen */
    /* evaluations of the whole right-hand side since the solver was made, or resumed; methods with
     * stages of some components count each component once */
    uint64_t rhs_evaluations;
    /* components whose magnitude is below it become 0; 0: no component does; NaN: it differs from
     * component to component (ODE_FLUSH_BELOW) */
    double flush_below;
    /* the number of steps after which they do, counted from t0 or from the last shorter step of
     * eulercl_advance_to; 0: nothing becomes 0 */
    int64_t flush_steps;
    /* Of steps to a tolerance; all 0 without one. */
    int64_t method_changes;     /* how often another method was chosen */
    int64_t rejected;           /* rejected steps: they were not accurate enough */
    double h_first;             /* the first step size */
    double h_least;             /* the smallest, but for those that end at a given time */
    double h_greatest;          /* the largest */
    double h_last;              /* size of the last step */
    double atol;                /* absolute tolerance, given or chosen: the greatest of `atols` */
    double error_estimate;      /* error of the last step in units of the tolerance: at most 1 */
    double spectral_radius;     /* the present bound; 0: the method needs no bound */
    int64_t spectral_estimates; /* how often it was estimated */
    double control_seconds;     /* time spent on the first step size and the spectral radius */
    int is_steady;              /* 1: steps have ended because of options.steady */
    double derivative;     /* the greatest magnitude of a component of dy/dt then; 0: not steady */
    int64_t resumed_steps; /* the part of `steps` before eulercl_solver_resume; rhs_evaluations and
                              the seconds do not include it */
    size_t fact_count;     /* number of facts that the backend lists about this run */
    eulercl_fact facts[EULERCL_MOST_FACTS]; /* the first fact_count of them are set */
    /* With a tolerance: values of each unknown (options.atols). The arrays live as long as the
     * solver, and eulercl_solve returns no arrays. */
    int64_t unknowns; /* how many there are; 0 without a tolerance */
    /* atols, given or chosen; 0: not known yet, because the unknown has been 0 */
    const double *atols;
    const double *greatest; /* the greatest magnitude that was seen: when the steps began (or were
                               resumed), and while it was below the atol, or that was not given and
                               the unknown 0 at first, after 1, 2, 4, ... rounds and at given times.
                               The errors of an unknown that stays below its atol are not small
                               beside it */
    /* Of a run that may move (options.no_move). */
    const char *code; /* "baseline": the present steps are made by baseline code; "": by fast code,
                         or by a device */
    int64_t moved_steps; /* the steps that baseline code has made before the run moved to fast code,
                            without resumed_steps; 0: it has not moved */
    double moved_kernel_seconds; /* the part of kernel_seconds in them */
    int bits_guaranteed; /* 0: the problem calls functions whose bits may differ between devices, or
                            the options take those of the device */
} eulercl_stats;

/* Return the fact with this name; NULL if the backend does not list it. */
EULERCL_API const eulercl_fact *eulercl_find_fact(const eulercl_stats *stats, const char *name);

/* Make a solver. The parameters are copied: later changes of the problem do not affect it. The
 * state is all zeros. Errors: INVALID (an option out of range, unknown backend or variant),
 * NO_DEVICE, UNSUPPORTED (double on a device without fp64, a device that breaks the bit contract,
 * OpenCL for a problem without text), COMPILE, MEMORY. */
EULERCL_API int eulercl_solver_create(const eulercl_problem *problem,
    const eulercl_options *options, eulercl_solver **solver, eulercl_error *error);
/* Return the components *first .. *first + *count - 1 that this process computes. They are all
 * components, unless several processes have made the solver together (eulercl_mpi.h). Errors:
 * INVALID (NULL). */
EULERCL_API int eulercl_solver_window(
    const eulercl_solver *solver, int64_t *first, int64_t *count, eulercl_error *error);
/* Free a solver, also after a failed call. NULL is allowed. From the solver's own observer it frees
 * nothing: the call that advances then stops and returns INVALID, and the solver can be freed. */
EULERCL_API void eulercl_solver_destroy(eulercl_solver *solver);

/* Load the problem's initial state. Errors: UNSUPPORTED (the problem has none), MEMORY. */
EULERCL_API int eulercl_set_initial_state(eulercl_solver *solver, eulercl_error *error);
/* Load y[0 .. n-1], of the solver's precision. */
EULERCL_API int eulercl_set_state(eulercl_solver *solver, const void *y, eulercl_error *error);
/* Load y[0 .. count-1] into components first .. first + count - 1. Errors: INVALID (range). */
EULERCL_API int eulercl_set_components(
    eulercl_solver *solver, int64_t first, int64_t count, const void *y, eulercl_error *error);
/* Set a field, such as a forcing that depends on the time: the steps that follow see these values,
 * one per grid point, of the solver's precision, in the order of the points in a state. What
 * follows from fields, such as obstacles, changes with it. Other solvers and the problem keep
 * theirs. Where several processes share the system, all of them make the same call. With a
 * tolerance the step size is chosen anew, as after eulercl_set_state. Errors: INVALID (no such
 * field; a value that is not finite), MEMORY; the field is then what it was. */
EULERCL_API int eulercl_set_field(
    eulercl_solver *solver, const char *name, const void *values, eulercl_error *error);
/* Set a parameter for the steps that follow; what is derived from it, such as constants, boundary
 * values and obstacles, changes with it. Nothing is compiled. Other solvers and the problem keep
 * theirs. The step size and the method stay, also where they are no longer the best or stable; with
 * a tolerance the step size is chosen anew. Where several processes share the system, all of them
 * make the same call. Errors: INVALID (no such parameter; a value out of its range; the size of the
 * system would change), UNSUPPORTED (thresholds of ODE_FLUSH_BELOW would change), MEMORY; the
 * parameter is then what it was. */
EULERCL_API int eulercl_set_parameter(
    eulercl_solver *solver, const char *name, double value, eulercl_error *error);
/* Read the state into y[0 .. n-1], of the solver's precision. Errors: MEMORY. */
EULERCL_API int eulercl_get_state(eulercl_solver *solver, void *y, eulercl_error *error);
/* Read components first .. first + count - 1 into y[0 .. count-1]. Errors: INVALID (range), MEMORY.
 */
EULERCL_API int eulercl_get_components(
    eulercl_solver *solver, int64_t first, int64_t count, void *y, eulercl_error *error);
/* Get components that this process computes (eulercl_solver_window), without the other processes:
 * they need not call it. Errors: INVALID (range; components of another process), MEMORY. */
EULERCL_API int eulercl_get_own_components(
    eulercl_solver *solver, int64_t first, int64_t count, void *y, eulercl_error *error);

/* Evaluate the right-hand side, for other integrators: f[0 .. n-1] = f(t, y[0 .. n-1]) in the
 * solver's precision, computed on the CPU for every backend. y and f must not overlap. The solver's
 * state is not used. Errors: INVALID (t is not finite). */
EULERCL_API int eulercl_evaluate(
    const eulercl_solver *solver, double t, const void *y, void *f, eulercl_error *error);

/* Statistics over the state y, or over one component per grid point. */
enum eulercl_quantity {
    EULERCL_MIN = 0, /* the smallest y */
    EULERCL_MAX,     /* the greatest y */
    EULERCL_MEAN,    /* the mean of y */
    EULERCL_L1,      /* the sum of |y| */
    EULERCL_L2,      /* the square root of the sum of y^2 */
    EULERCL_LINF,    /* the greatest |y| */
    EULERCL_RMS      /* the square root of the mean of y^2 */
};
/* Return the name of quantity number index (0, 1, ...): "min", "max", "mean", "l1", "l2", "linf",
 * "rms"; NULL past the last. */
EULERCL_API const char *eulercl_quantity_name(size_t index);

/* A statistic for eulercl_monitor. */
typedef struct eulercl_statistic {
    int32_t quantity;  /* enum eulercl_quantity */
    int64_t component; /* per grid point, 0 .. info.components - 1; -1: over all components */
} eulercl_statistic;

/* Compute wanted[0 .. count-1] into values[0 .. count-1], in one pass over the state, on its
 * device. All sums are in double, in an order that depends only on n and the components per point,
 * so every backend returns the same bits. The error of a sum is at most (n / 2^17 + 1100) 2^-53
 * times the sum of the absolute values (with up to 256 components per point). Squares beyond 1e308
 * make l2 and rms infinite. With NaN in the state min, max and linf are over the other values.
 * Errors: INVALID (no such quantity or component), MEMORY, COMPILE. */
EULERCL_API int eulercl_monitor(eulercl_solver *solver, const eulercl_statistic *wanted,
    size_t count, double *values, eulercl_error *error);

/* What eulercl_thin makes of the points of a block. */
enum eulercl_thin_mode {
    EULERCL_THIN_MEAN = 0, /* the mean; NaN if one of them is NaN */
    EULERCL_THIN_MAX,      /* the greatest one that is not NaN */
    EULERCL_THIN_MIN,      /* the smallest one that is not NaN */
    EULERCL_THIN_EVERY     /* the first one along each axis: every n-th point */
};
/* Return the name of mode number index (0, 1, ...): "mean", "max", "min", "every"; NULL past the
 * last. */
EULERCL_API const char *eulercl_thin_mode_name(size_t index);

/* The greatest smoothing of eulercl_thin: all weights of its mask are exact in double. */
enum { EULERCL_MOST_SMOOTHING = 28 };

/* A box of grid points, such as a plane, where a count is 1. Along axes that the grid does not have
 * it has point 0. */
typedef struct eulercl_region {
    int64_t first[3];  /* its lowest point along x, y and z */
    int64_t counts[3]; /* its points along them */
} eulercl_region;

/* Thin a component of the state, in a region (NULL: the whole grid), to one value for each block of
 * n points along each axis, computed on the state's device: values[(kz * my + ky) * mx + kx] is
 * that of the points kx * n to kx * n + n - 1 of the region along x, and so on, where
 * mx = ceil(nx / n) and nx is its count. Blocks at the upper ends of axes have fewer points. count
 * must be mx * my * mz. Means are of sums in double, in a fixed order, so every backend returns the
 * same bits.
 *
 * smoothing > 0: the points are smoothed before they are thinned, along z, y and x, by a mask of
 * the 2 smoothing + 1 binomial weights C(2 smoothing, k) / 4^smoothing, which is nearly a Gaussian
 * of the variance smoothing / 2. It goes round periodic axes; at other ends of the grid the values
 * are mirrored (c b a | a b c). The values are those of scipy.ndimage.convolve1d in double, axis
 * after axis, with the modes "wrap" and "reflect".
 *
 * Errors: INVALID (the region is not within the grid; no such component or mode; n < 1; smoothing
 * not from 0 to EULERCL_MOST_SMOOTHING; another count), MEMORY, COMPILE. */
EULERCL_API int eulercl_thin(eulercl_solver *solver, const eulercl_region *region,
    int64_t component, int64_t n, int32_t mode, int64_t smoothing, double *values, int64_t count,
    eulercl_error *error);

/* Find the points whose value satisfies a condition, on the state's device: "C > LEVEL", or with
 * >=, < or <=, where C is a component. Its points, numbered (iz * ny + iy) * nx + ix, and their
 * values come in this order, in two arrays of *count, which are to be freed by eulercl_free. NaN
 * satisfies no condition. Errors: INVALID (another condition, no such component), MEMORY, COMPILE.
 */
EULERCL_API int eulercl_extract(eulercl_solver *solver, const char *condition, int64_t *count,
    int64_t **points, double **values, eulercl_error *error);

/* Check a condition of eulercl_extract for the solvers of a problem. Errors: INVALID. */
EULERCL_API int eulercl_check_condition(
    const eulercl_problem *problem, const char *condition, eulercl_error *error);

/* An observation: what is computed from states by one of these, where C is a component of the grid
 * points. The values are the same on every backend, and on any number of devices.
 *
 *     histogram:C:BINS:LOW:HIGH  how many values are below LOW; in each of BINS (1 to 4096) bins of
 *                                equal width; at HIGH or above; and NaN. A bin has its lower end,
 *                                and not its upper one
 *     euler:C:LEVEL              of the set of the points with y > LEVEL: the number of points
 *                                (size); pairs of neighbours of which one belongs to the set
 *                                (boundary); and its Euler number, which in two dimensions is the
 *                                number of connected parts minus that of holes, if points are
 *                                connected with their diagonal neighbours, too (euler), or along
 *                                the axes alone (euler_faces)
 *     length:C                   2 pi sqrt(variance / mean squared gradient), in grid points; NaN
 *                                if all values are equal
 *     front:C:LEVEL              where y first crosses LEVEL along x, in grid points from the first
 *                                one: the mean over the lines along x, the standard deviation
 *                                (spread), the speed since the state that was observed before, and
 *                                the number of lines without a crossing (missing)
 *     correlation:C:LAGS         the mean of (y - m) (y' - m) over the pairs of points that lie 1,
 *                                ..., LAGS (up to 1024) points apart along x, then along y, then z,
 *                                divided by the variance; m is the mean
 *
 * Neighbours and pairs go round on periodic axes. Beyond the ends of other axes there are no
 * points, and none that belong to the set; NaN does not belong to it. Values that are not finite
 * cross no level. All but histogram need a grid. */
typedef struct eulercl_observation eulercl_observation;

/* Return form number index (0, 1, ...) of the list above, or NULL past the last. */
EULERCL_API const char *eulercl_observer_form(size_t index);

/* Make an observation for the solvers of a problem with its present sizes, from a text of the list
 * above with numbers in it. Destroy it at the end. Errors: INVALID (another form, a number that is
 * not allowed), UNSUPPORTED (the problem has no grid), MEMORY. */
EULERCL_API int eulercl_observation_create(const eulercl_problem *problem, const char *text,
    eulercl_observation **observation, eulercl_error *error);
/* Free an observation. NULL is allowed. */
EULERCL_API void eulercl_observation_destroy(eulercl_observation *observation);
/* Return the number of its values; 0 for NULL. */
EULERCL_API size_t eulercl_observation_columns(const eulercl_observation *observation);
/* Write the name of value number index into name[0 .. size-1]: the text of the observation, and
 * what distinguishes several values, as in "euler:0:0.5:size". Errors: INVALID (there is no such
 * value; the name does not fit). */
EULERCL_API int eulercl_observation_column(const eulercl_observation *observation, size_t index,
    char *name, size_t size, eulercl_error *error);
/* Compute the values of the present state. front keeps the time and the mean for the next call.
 * Sums of correlation, front and length are in double, in a fixed order. Errors: INVALID (the
 * solver has another grid than the problem had), MEMORY, COMPILE. */
EULERCL_API int eulercl_observe(
    eulercl_solver *solver, eulercl_observation *observation, double *values, eulercl_error *error);

/* The value below which the part `quantile` (0 to 1) of all values lies, by linear interpolation
 * within its bin; counts: bins + 3 values of a histogram. -INFINITY and INFINITY stand for values
 * below and above the bins, NaN for an empty histogram. Errors: INVALID (bins, low or high as of no
 * histogram; a quantile out of range). */
EULERCL_API int eulercl_histogram_quantile(int64_t bins, double low, double high,
    const double *counts, double quantile, double *value, eulercl_error *error);
/* The level that divides the values in the bins into two classes with the greatest variance between
 * them (Otsu, "A threshold selection method from gray-level histograms", IEEE Trans. SMC 9, 1979):
 * an end of a bin, or the middle of the empty bins between the classes. NaN if fewer than two bins
 * have values. Errors: INVALID (bins, low or high as of no histogram). */
EULERCL_API int eulercl_histogram_threshold(int64_t bins, double low, double high,
    const double *counts, double *level, eulercl_error *error);

/* A snapshot: a copy of the solver's state, kept while the solver goes on. Only
 * eulercl_snapshot_next may be called by another thread while the solver is used, by one thread at
 * a time. The other functions count as calls on the solver, and must not be called while a thread
 * reads the snapshot. */
typedef struct eulercl_snapshot eulercl_snapshot;

/* Allocate memory for one more state where the solver has its own (stats.device_bytes grows
 * accordingly). The snapshot is empty. Destroy it before the solver. Errors: MEMORY (on a CPU
 * backend also if the three states would take more than half of the machine's memory: in that case
 * read the state between advances), INTERNAL. */
EULERCL_API int eulercl_snapshot_create(
    eulercl_solver *solver, eulercl_snapshot **snapshot, eulercl_error *error);
/* Copy the present state into the snapshot, replacing its content. Observers may call it. Errors:
 * MEMORY, INTERNAL. */
EULERCL_API int eulercl_snapshot_take(eulercl_snapshot *snapshot, eulercl_error *error);
/* Read the next part of the snapshot, in order: *count reals at *y, which stay there until the next
 * call for this snapshot; *count is 0 at the end. On OpenCL backends the following part is
 * transferred meanwhile. Errors: INVALID (no state was taken, or reading it failed), MEMORY,
 * INTERNAL. */
EULERCL_API int eulercl_snapshot_next(
    eulercl_snapshot *snapshot, const void **y, int64_t *count, eulercl_error *error);
/* Free a snapshot. NULL is allowed. */
EULERCL_API void eulercl_snapshot_destroy(eulercl_snapshot *snapshot);

/* Advance by steps >= 0 steps of size h. Step number s starts at the time (real)(t0 + s * h),
 * computed in double. Errors: INVALID (steps < 0 or overflow), NONFINITE, CANCELLED, MEMORY,
 * INTERNAL. NONFINITE: the message names the first step after which the state is not finite, the
 * first such component, the time, and a possible remedy. The solver then holds the state after that
 * step, to which stats.steps and stats.t belong. To find the step, the steps since the last copy of
 * the state are repeated. Without a copy (no memory, or the program changes the state often) the
 * message names the two steps between which it happened, and the state is the one after the second.
 * With a tolerance (options.rtol) the steps are accepted ones, rejected steps are made again, and
 * STEP_SIZE, STEP_COUNT or UNSUPPORTED (the method cannot be changed during a run on this backend)
 * take the place of NONFINITE: the solver holds the state after the last accepted step. The round
 * of steps in which their number is reached is completed, so there may be more steps: the bits
 * depend neither on where a run is cut into such calls, nor on the backend. With options.steady the
 * call may end before: stats.is_steady says so.
 */
EULERCL_API int eulercl_advance(eulercl_solver *solver, int64_t steps, eulercl_error *error);
/* Advance to the time t_end >= t. With q = (t_end - t) / h: round(q) steps when |q - round(q)| <=
 * 1e-9 max(1, q) and q >= 1/2, else floor(q) steps and one shorter one, which ends at t_end; no
 * step if t is t_end but for rounding errors. last_h (NULL allowed) gets the size of the last step,
 * 0 for no step. Breakpoints are such ends, too. With a tolerance the steps are as large as it
 * allows, and the last ones end at t_end. Errors: as eulercl_advance; INVALID also if t_end is
 * before the present time. */
EULERCL_API int eulercl_advance_to(
    eulercl_solver *solver, double t_end, double *last_h, eulercl_error *error);
/* With a tolerance: show the state at the time t without shortening the steps of the run for it.
 * They go on until they reach t, and end at t_end >= t at the latest. A shorter step leads from
 * the last state before t to t; its error is one of the method's order, too. The solver holds that
 * state, to which stats.t belongs, until the next call that advances, which goes on from the end of
 * the longer steps. Steps of one size may be made together, so their end may be far beyond t; the
 * next t may be any time from the present one on, so that several states can be taken from them.
 * Setting the state ends this: steps go on from what was set. Needs memory for two copies of the
 * state. Errors: as eulercl_advance_to; INVALID also without a tolerance. */
EULERCL_API int eulercl_advance_dense(
    eulercl_solver *solver, double t, double t_end, eulercl_error *error);

/* How often something happens, counted from step 0 at options.t0. */
typedef struct eulercl_interval {
    int64_t steps; /* after each multiple of this number; 0: not by steps */
    double time;   /* at each multiple of this time; 0: not by time */
} eulercl_interval;

/* The moments of a run at which its states are of interest. */
typedef struct eulercl_moments {
    size_t struct_size; /* set it to sizeof(eulercl_moments) before the call */
    double t_end;       /* the end of the run; infinite: it ends after last_step */
    /* number of the last step; with a finite t_end and steps of one size it is set by the first
     * call, as if there were no breakpoints, else it is not used */
    int64_t last_step;
    eulercl_interval show; /* states to show */
    eulercl_interval keep; /* states from which the run can be continued: at the ends of steps */
    int is_dense;   /* 1: with a tolerance, states that are shown do not shorten the steps, as with
                       eulercl_advance_dense */
    int has_begun;  /* 0 before the first call, which sets it */
    double t_shown; /* set by the calls: the time of the last state that was shown */
    int is_shown;   /* set: the present state is one to show, */
    int is_kept;    /* or one to keep; neither at the end of the run */
    int is_within;  /* set: it is within steps (is_dense) */
    int is_last;    /* set: the last step is made; states within it may follow */
    int is_end;     /* set: nothing follows */
    double last_h;  /* set: size of a shorter step of this call; 0: it made none */
} eulercl_moments;

/* Advance to the next moment, or to the end of the run, by the steps of an uninterrupted one: a
 * loop of such calls until moments->is_end makes the steps of eulercl_advance or
 * eulercl_advance_to, but with a tolerance times at which states are shown or kept are ends of
 * steps unless is_dense. Steps of one size are not shortened: a moment at a time is then the first
 * step that ends there or later, but for rounding errors. With a tolerance, a moment by steps is
 * the end of the round in which their number is reached. After CANCELLED the fields describe the
 * present state, too. Errors: as eulercl_advance_to and eulercl_advance_dense; INVALID also for
 * intervals that are negative or of both kinds. */
EULERCL_API int eulercl_advance_until(
    eulercl_solver *solver, eulercl_moments *moments, eulercl_error *error);

enum {
    /* Bytes of the text eulercl_clock.control, with the 0 at its end. */
    EULERCL_CONTROL_SIZE = 4096,
    /* Unknowns with atols of their own for which it has room (stats.unknowns). */
    EULERCL_CONTROL_UNKNOWNS = 192
};
/* The clock of a run. Together with the state, the problem with its parameters, and the precision,
 * it determines every bit of the following steps. A program that stores all of these can continue
 * later in another solver, on any backend, with the bits of a run that was not interrupted. With a
 * tolerance, `control` contains all that the following steps depend on, also the options. */
typedef struct eulercl_clock {
    size_t struct_size; /* set it to sizeof(eulercl_clock) before the call */
    int64_t steps;      /* steps of the whole run so far, >= base_steps */
    int64_t base_steps; /* those of these steps since t_base, >= 0 */
    double t_base; /* the next step starts at t_base + base_steps * h: t0, or the end of the last
                      shorter step of eulercl_advance_to */
    double h;      /* step size */
    char control[EULERCL_CONTROL_SIZE]; /* with a tolerance: a line of text to be stored as it is;
                                           "" without one, before the first step, where
                                           eulercl_advance_dense shows a state within a step, and
                                           where the atols of more than EULERCL_CONTROL_UNKNOWNS
                                           unknowns differ: such a run cannot be continued */
} eulercl_clock;

/* Return the solver's clock. Observers may call it. Errors: INVALID (clock->struct_size is 0). */
EULERCL_API int eulercl_get_clock(
    const eulercl_solver *solver, eulercl_clock *clock, eulercl_error *error);
/* Set the solver's time, numbers of steps and step size to those of a clock from eulercl_get_clock,
 * instead of options.t0 and options.h. The state is set as usual, before or after this. Errors:
 * INVALID (the solver stays as it was): numbers of steps that contradict each other; a time or a
 * step size that is not finite, or a step size that is not greater than 0, in the solver's
 * precision; a clock of steps to a tolerance for a solver with steps of one size, or the reverse,
 * or another tolerance rtol than that of the solver; a call from an observer. With a tolerance the
 * method, its stages and all options of the tolerance but max_steps and steady become those of the
 * clock; then also COMPILE, MEMORY, UNSUPPORTED (the method cannot be changed on this backend). */
EULERCL_API int eulercl_solver_resume(
    eulercl_solver *solver, const eulercl_clock *clock, eulercl_error *error);

/* Return breakpoint number index (0, 1, ...) of the solver, in ascending order: those of its
 * options and of its problem. Errors: INVALID past the last one. */
EULERCL_API int eulercl_get_breakpoint(
    const eulercl_solver *solver, size_t index, double *t, eulercl_error *error);

/* Return the statistics of the solver. Errors: INVALID (stats->struct_size is 0). */
EULERCL_API int eulercl_get_stats(
    const eulercl_solver *solver, eulercl_stats *stats, eulercl_error *error);

/* Return the cl_mem that holds the state: n reals from offset 0. The program may read and write it
 * through the queue until the next call on the solver, and must not release it. Errors: UNSUPPORTED
 * (a CPU backend). */
EULERCL_API int eulercl_borrow_buffer(
    eulercl_solver *solver, void **cl_mem_state, eulercl_error *error);

/* Make a solver, advance the state y[0 .. n-1] from t0 by steps steps, and free the solver. stats
 * may be NULL; its strings are empty, because they live as long as the solver. If the call fails, y
 * is unchanged. Errors: as above. */
EULERCL_API int eulercl_solve(const eulercl_problem *problem, const eulercl_options *options,
    int64_t steps, void *y, eulercl_stats *stats, eulercl_error *error);

/* Return the OpenCL source that a solver with these options would compile (options.backend NULL:
 * cl-linear), as one string. No device is needed. Free the string with eulercl_free. Errors:
 * INVALID, NO_DEVICE (built without OpenCL), UNSUPPORTED (no text, or a CPU backend), MEMORY. */
EULERCL_API int eulercl_kernel_source(const eulercl_problem *problem,
    const eulercl_options *options, char **source, eulercl_error *error);
/* Free memory that a function of this library returned. NULL is allowed. */
EULERCL_API void eulercl_free(void *memory);

/* ---- the planner: measurements and wisdom ---- */

/* A configuration that was measured. The strings live as long as the call of the observer. */
typedef struct eulercl_candidate {
    size_t struct_size;  /* sizeof(eulercl_candidate), set by the library */
    const char *backend; /* the name for options.backend */
    const char *variant; /* "" if the backend has no variants */
    const char *tuning;  /* the other tuning parameters, "name=value,name=value" as in the options;
                            "": all are chosen by the backend */
    double predicted_seconds; /* predicted time of a step; 0: not predicted */
    double measured_seconds;  /* measured time of a step; 0: it did not work, see note */
    double build_seconds;     /* time from the choice to the first step */
    int is_chosen;            /* 1: this is the last call, with the fastest candidate */
    const char *note; /* why it did not work; in the last call why it was not stored; else "" */
} eulercl_candidate;

/* Called with each candidate, and at the end once more with the chosen one. Return nonzero to stop.
 */
typedef int eulercl_tune_observer(const eulercl_candidate *candidate, void *user);

/* Measure the most promising configurations for the problem under these options, and store the
 * fastest in the wisdom file, where "auto" finds it. If a backend is given, only its configurations
 * are compared, and nothing is stored. This takes some seconds. The observer may be NULL. Errors:
 * as eulercl_solver_create, CANCELLED. An unusable wisdom file is ignored; the last call of the
 * observer reports it. */
EULERCL_API int eulercl_tune(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_tune_observer *observer, void *user, eulercl_error *error);

/* Write the path of the wisdom file into path[0 .. size-1]. Here and below `wisdom` is as in the
 * options. Errors: INVALID (there is no such path, or it does not fit), MEMORY. */
EULERCL_API int eulercl_wisdom_path(
    const char *wisdom, char *path, size_t size, eulercl_error *error);
/* Called with each entry: what it is valid for, as words "name=value" with %XX for special
 * characters; the backend; its tuning parameters as in a candidate, including the variant, or "-"
 * for none; the measured seconds per step. Return nonzero to stop (CANCELLED). A missing file has
 * no entries. */
typedef int eulercl_wisdom_visitor(
    const char *key, const char *backend, const char *tuning, double step_seconds, void *user);
/* Visit all entries of the file, in its order. A damaged file is rejected as a whole. Errors: FILE,
 * INVALID, CANCELLED, MEMORY. */
EULERCL_API int eulercl_wisdom_each(
    const char *wisdom, eulercl_wisdom_visitor *visit, void *user, eulercl_error *error);
/* Write a copy to the file `to`. Errors: FILE, INVALID, MEMORY. */
EULERCL_API int eulercl_wisdom_export(const char *wisdom, const char *to, eulercl_error *error);
/* Add the entries of the file `from`, which replace existing ones. Nothing is added if the file is
 * damaged or from another version of the library. Errors: FILE, INVALID, MEMORY. */
EULERCL_API int eulercl_wisdom_import(const char *wisdom, const char *from, eulercl_error *error);
/* Remove the wisdom file. A file that is not a wisdom file is not removed (FILE). */
EULERCL_API int eulercl_wisdom_forget(const char *wisdom, eulercl_error *error);

/* ---- a problem before it runs ---- */

/* How large steps may be. This follows from the eigenvalues lambda of the Jacobian df/dy near a
 * state: a method keeps a mode exp(lambda t) bounded if |R(h lambda)| <= 1, where R is its
 * stability function (Hairer, Wanner, "Solving Ordinary Differential Equations II", sec. IV.2). For
 * the explicit Euler method, R(z) = 1 + z, that is h <= -2 Re lambda / |lambda|^2, and on the
 * imaginary axis no h is stable. The Jacobian is approximated by differences of the right-hand
 * side. The largest eigenvalues are estimated by Arnoldi's method (Saad, "Numerical methods for
 * large eigenvalue problems", ch. 6), for grid problems also by Fourier analysis with frozen
 * coefficients. The estimate holds near this state; a nonlinear system may become stiffer.
 * Eigenvalues below half of the largest one that does not grow (Re lambda > 0) are ignored: at such
 * step sizes accuracy, not stability, is the limit. */
typedef struct eulercl_stability {
    size_t struct_size;     /* set it to sizeof(eulercl_stability) before the call */
    double spectral_radius; /* the largest |lambda| found, >= 0 */
    double real;            /* real part of that lambda */
    /* imaginary part of that lambda, >= 0: eigenvalues come in conjugate pairs */
    double imaginary;
    double residual; /* its relative residual |J x - lambda x| / (|lambda| |x|); 0: exact except for
                        rounding */
    double h_limit;  /* the largest stable step size; 0: no step size is stable; INFINITY: nothing
                        decays, so stability sets no limit */
    double oscillation; /* the largest w of eigenvalues a +- iw with 0 <= a < w, to the accuracy of
                           the estimate: errors of the explicit Euler method grow by the factor
                           exp(h w^2 / 2) per unit of time; 0: none */
    double growth; /* the largest Re lambda > 0: the solution itself grows; 0: none was found */
    int64_t evaluations; /* number of evaluations of the whole right-hand side */
    int stages;          /* stages of a step of the method to which h_limit belongs */
} eulercl_stability;

/* Estimate the stability near the state y[0 .. n-1] (NULL: the problem's initial state) at
 * options->t0, in options->precision, of options->method with options->stages (0: with 10, if the
 * method has a choice); other options are not used. This needs memory for 4 states,
 * and for up to 41 more in double (7 for systems beyond 2.8e6 components). Errors: INVALID,
 * UNSUPPORTED (no initial state, no right-hand side in this precision), NONFINITE (the right-hand
 * side is not finite there), MEMORY. */
EULERCL_API int eulercl_estimate_stability(const eulercl_problem *problem,
    const eulercl_options *options, const void *y, eulercl_stability *stability,
    eulercl_error *error);
/* Return a step size for options.h: 0.9 h_limit at the start. It may be too large later, see above.
 * Errors: as above; UNSUPPORTED if no step size is stable, or if stability sets no limit. */
EULERCL_API int eulercl_stable_step(const eulercl_problem *problem, const eulercl_options *options,
    const void *y, double *h, eulercl_error *error);

/* The result of a finding. */
enum eulercl_verdict {
    EULERCL_HOLDS = 0,  /* the property was checked, and holds */
    EULERCL_FAILS = 1,  /* the property was checked, and does not hold */
    EULERCL_REMARK = 2, /* a measurement or advice */
    EULERCL_SKIPPED = 3 /* the property could not be checked, for the reason in text */
};

/* One line of a check. The strings live as long as the call of the observer. */
typedef struct eulercl_finding {
    size_t struct_size;           /* sizeof(eulercl_finding), set by the library */
    const char *check;            /* a name from eulercl_check_name */
    enum eulercl_verdict verdict; /* the result */
    int status; /* the status of a failure: COMPILE (log has the compiler's messages), NONFINITE,
                   UNSUPPORTED..., INTERNAL for a comparison; else OK */
    int64_t component; /* where the property fails; -1: no particular component */
    const char *text;  /* one line, no full stop */
    const char *log;   /* "" except for COMPILE */
} eulercl_finding;

/* Called with each finding. Return nonzero to stop. */
typedef int eulercl_check_observer(const eulercl_finding *finding, void *user);

/* Return the name of check number index (0, 1, ...), in the order of the checks, or NULL past the
 * last. */
EULERCL_API const char *eulercl_check_name(size_t index);

/* The results of a check, in numbers. */
typedef struct eulercl_check_report {
    size_t struct_size;      /* set it to sizeof(eulercl_check_report) before the call */
    int64_t holds;           /* findings with verdict EULERCL_HOLDS */
    int64_t fails;           /* number of findings with EULERCL_FAILS; 0: the problem may run */
    int64_t skipped;         /* number of findings with EULERCL_SKIPPED */
    int64_t access_distance; /* the actual access distance of the components that were checked; -1:
                                not known */
    int64_t cyclic_distance; /* periodic grids: the same, counted modulo n; else -1 */
    int64_t radius;          /* likewise the actual radius; -1: no grid, or not known */
    uint64_t float_bytes; /* two states and the coefficient fields in float: what a solver holds; 0:
                             not in this precision */
    uint64_t double_bytes;  /* bytes of the state in double */
    double spectral_radius; /* as in eulercl_stability; NaN: not known */
    double h_limit;         /* likewise */
} eulercl_check_report;

/* Verify what a problem declares, before any run: that all forms of the right-hand side give the
 * same bits, in both precisions, in SIMD lanes, and on the OpenCL device that the options choose
 * (device, cl_queue, allow_inexact); that it is deterministic, at any address in memory; that no
 * component reads beyond the access distance or the state; jumps of the right-hand side in time;
 * finite values at the start and after some steps; and how large h may be. Small systems are
 * checked completely, large ones at their ends and at samples. A function that reads far outside
 * the state can crash. Times start at options->t0; if expected_steps is given, jumps in time are
 * looked for over that number of steps of h, and else over many scales of time; other options are
 * not used. The text of a problem that began with baseline code is looked at with that, and all
 * else with its fast code. The return value is OK also if a check fails: see report->fails. Errors:
 * INVALID, MEMORY, COMPILE (the fast code), CANCELLED (by the observer, which may be NULL). */
EULERCL_API int eulercl_check(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_check_report *report, eulercl_check_observer *observer, void *user,
    eulercl_error *error);

/* ---- what the machine can do ---- */

/* Measured limits of a machine, to compare results with. */
typedef struct eulercl_ceilings {
    size_t struct_size;               /* set it to sizeof(eulercl_ceilings) before the call */
    enum eulercl_precision precision; /* precision that was measured */
    /* speed of a copy much larger than the caches; bytes read and bytes written are added */
    double copy_bytes_per_second;
    double fma_per_second; /* fused multiply-adds of single reals, independent of each other, in
                              registers */
    char device[256];      /* name of the OpenCL device or of the processor */
} eulercl_ceilings;

/* Measure for about a second the machine that the options select: backend (a CPU backend: the CPU,
 * with its number of threads; an OpenCL backend: the device; NULL or "auto": the device if there is
 * one, else the CPU), precision, device, cl_queue, threads, pin_threads. This needs up to 1 GiB of
 * the machine's memory. Errors: INVALID, NO_DEVICE, UNSUPPORTED, COMPILE, MEMORY. */
EULERCL_API int eulercl_measure_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error);

#ifdef __cplusplus
}
#endif
#endif
