/* SPDX-License-Identifier: BSD-2-Clause */
/* mpi.c - libeulercl-mpi: the transport of run/transport.h over MPI. The library itself never
 * sees mpi.h. */
#include "config.h"
#include <eulercl/eulercl_mpi.h>
#include "run/transport.h"
#include <assert.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 1 << 30, MESSAGES = 4, ITEM_NAME = 64, ITEM_VALUE = 448, OPTIONS = 18 };

struct mpi {
    struct transport transport; /* its user is this struct */
    MPI_Comm all, local;        /* local: those of this host */
    /* memory that the processes of a host share, a block for each; NULL: not shared */
    char *shared;
    uint64_t shared_bytes;
};

static int fail(eulercl_error *error, int code, const char *message) {
    if (error) {
        memset(error, 0, sizeof *error);
        error->code = code;
        snprintf(error->message, sizeof error->message, "%s", message);
    }
    return code;
}

static int fail_mpi(eulercl_error *error, int status, const char *doing) {
    char text[MPI_MAX_ERROR_STRING] = "", message[sizeof error->message];
    int length = 0;
    MPI_Error_string(status, text, &length);
    snprintf(message, sizeof message, "%s: %.*s", doing, 400, text);
    return fail(error, EULERCL_INTERNAL, message);
}

/* ---- the transport ---- */

/* MPI counts in int, so large messages are sent in pieces, which arrive in order. */
static int exchange(void *user, const struct message *messages, int count, eulercl_error *error) {
    const struct mpi *const m = user;
    /* an empty message says that the rows are in shared memory */
    atomic_thread_fence(memory_order_seq_cst);
    for (uint64_t done = 0;; done += PIECE) {
        MPI_Request requests[MESSAGES];
        int under_way = 0, status = MPI_SUCCESS;
        for (int i = 0; i < count && !status; i++) {
            const struct message *const e = &messages[i];
            if (done && done >= e->bytes) continue;
            char *const at = (char *)e->memory + done;
            const int bytes = (int)(e->bytes - done < PIECE ? e->bytes - done : PIECE);
            status = e->is_sent ? MPI_Isend(at, bytes, MPI_BYTE, (int)e->rank, e->is_first, m->all,
                                      &requests[under_way++])
                                : MPI_Irecv(at, bytes, MPI_BYTE, (int)e->rank, e->is_first, m->all,
                                      &requests[under_way++]);
        }
        if (!status && !under_way) break;
        if (!status) status = MPI_Waitall(under_way, requests, MPI_STATUSES_IGNORE);
        if (status) return fail_mpi(error, status, "exchanging rows with other processes");
    }
    atomic_thread_fence(memory_order_seq_cst);
    return EULERCL_OK;
}

static int broadcast(void *user, int64_t root, void *memory, uint64_t bytes, eulercl_error *error) {
    const struct mpi *const m = user;
    int status = MPI_SUCCESS;
    for (uint64_t done = 0; done < bytes && !status; done += PIECE)
        status = MPI_Bcast((char *)memory + done,
            (int)(bytes - done < PIECE ? bytes - done : PIECE), MPI_BYTE, (int)root, m->all);
    return status ? fail_mpi(error, status, "MPI_Bcast") : EULERCL_OK;
}

static int greatest(void *user, int64_t *values, int count, eulercl_error *error) {
    const struct mpi *const m = user;
    const int status = MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_MAX, m->all);
    return status ? fail_mpi(error, status, "MPI_Allreduce") : EULERCL_OK;
}

/* Memory that the first process of this host makes, with room for it, under a name that is gone
 * when all have it. A window of MPI would have to be freed by all processes together, so one that
 * fails alone would wait for ever. -> whether it is there. */
static int open_memory(struct mpi *m, int is_maker, char *name, size_t size) {
    int file = -1;
    if (is_maker) {
        static atomic_int count;
        snprintf(name, size, "/eulercl-%ld-%d", (long)getpid(), atomic_fetch_add(&count, 1));
        file = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0)
            *name = '\0';
        else if (posix_fallocate(file, 0, (off_t)m->shared_bytes)) {
            close(file);
            file = -1;
        }
    } else if (*name)
        file = shm_open(name, O_RDWR | O_CLOEXEC, 0);
    if (file < 0) return 0;
    void *const memory = mmap(NULL, m->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    m->shared = memory == MAP_FAILED ? NULL : memory;
    return m->shared != NULL;
}

static void close_memory(struct mpi *m) {
    if (m->shared) munmap(m->shared, m->shared_bytes);
    m->shared = NULL;
}

/* Hosts without room for it do without: then rows are sent. */
static int share(void *user, uint64_t bytes, void **blocks, eulercl_error *error) {
    struct mpi *const m = user;
    const int locals = (int)m->transport.locals, is_maker = m->transport.local == 0;
    char name[64] = "";
    int rank = (int)m->transport.rank;
    if (locals == 1 || __builtin_mul_overflow(bytes, (uint64_t)locals, &m->shared_bytes) ||
        m->shared_bytes > PTRDIFF_MAX)
        return EULERCL_OK;
    int *const ranks = calloc((size_t)locals, sizeof *ranks);
    int is_missing = is_maker && !open_memory(m, 1, name, sizeof name);
    int status = MPI_Bcast(name, sizeof name, MPI_CHAR, 0, m->local);
    if (!status && !is_maker) is_missing = !open_memory(m, 0, name, sizeof name);
    is_missing |= !ranks;
    if (!status) status = MPI_Allreduce(MPI_IN_PLACE, &is_missing, 1, MPI_INT, MPI_MAX, m->local);
    if (is_maker && *name) shm_unlink(name);
    if (!status && !is_missing)
        status = MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, m->local);
    if (status || is_missing) close_memory(m);
    for (int i = 0; m->shared && i < locals; i++)
        blocks[ranks[i]] = m->shared + (size_t)i * (size_t)bytes;
    free(ranks);
    return status ? fail_mpi(error, status, "sharing memory") : EULERCL_OK;
}

static void destroy(void *user) {
    struct mpi *const m = user;
    int finalized = 0;
    close_memory(m);
    MPI_Finalized(&finalized);
    if (!finalized) MPI_Comm_free(&m->local);
    if (!finalized) MPI_Comm_free(&m->all);
    free(m);
}

/* How many processes of a host use the same cores as this one, by how many cores each may use:
 * those that a launcher has bound to cores of their own use no others'. */
static int count_sharing(MPI_Comm local, int64_t *sharing) {
    const int64_t online = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t cores = online;
    cpu_set_t set;
    if (!sched_getaffinity(0, sizeof set, &set)) cores = CPU_COUNT(&set);
    const int status = MPI_Allreduce(MPI_IN_PLACE, &cores, 1, MPI_INT64_T, MPI_SUM, local);
    *sharing = online > 0 && cores > online ? (cores + online - 1) / online : 1;
    return status;
}

static int open_transport(MPI_Comm communicator, struct mpi **made, eulercl_error *error) {
    struct mpi *const m = calloc(1, sizeof *m);
    int rank, ranks, local_rank, locals;
    int64_t sharing = 1;
    if (!m) return fail(error, EULERCL_MEMORY, "no memory for a communicator");
    int status = MPI_Comm_dup(communicator, &m->all);
    if (!status) {
        status = MPI_Comm_split_type(m->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &m->local);
        if (status) MPI_Comm_free(&m->all);
    }
    if (status) {
        free(m);
        return fail_mpi(error, status, "MPI_Comm_dup");
    }
    status = MPI_Comm_set_errhandler(m->all, MPI_ERRORS_RETURN);
    if (!status) status = MPI_Comm_rank(m->all, &rank);
    if (!status) status = MPI_Comm_size(m->all, &ranks);
    if (!status) status = MPI_Comm_rank(m->local, &local_rank);
    if (!status) status = MPI_Comm_size(m->local, &locals);
    if (!status) status = count_sharing(m->local, &sharing);
    if (status) {
        destroy(m);
        return fail_mpi(error, status, "the processes of a communicator");
    }
    m->transport = (struct transport){.user = m,
        .rank = rank,
        .ranks = ranks,
        .local = local_rank,
        .locals = locals,
        .sharing = sharing,
        .exchange = exchange,
        .broadcast = broadcast,
        .greatest = greatest,
        .share = share,
        .destroy = destroy};
    *made = m;
    return EULERCL_OK;
}

/* ---- what must be the same in all processes ---- */

/* Something with a name and a value as text. */
struct item {
    char name[ITEM_NAME], value[ITEM_VALUE];
};

/* List the options that decide about the numbers, or about the calls that a solver makes together
 * with other processes. */
static void list_options(const eulercl_options *o, struct item *items, size_t count) {
    const char *const method = o->method     ? o->method
                               : o->rtol > 0 ? "chosen"
                                             : "euler",
                      *const controller = o->controller ? o->controller : "pi";
    const struct {
        const char *name, *text; /* NULL: the number */
        double number;
    } values[] = {{"precision", o->precision == EULERCL_FLOAT ? "float" : "double", 0},
        {"h", NULL, o->h}, {"t0", NULL, o->t0}, {"method", method, 0},
        {"stages", NULL, (double)o->stages}, {"flush_below", NULL, o->flush_below},
        {"check_finite", NULL, (double)o->check_finite},
        {"observer_steps", NULL, (double)o->observer_steps},
        {"observer", o->observer ? "given" : "none", 0}, {"rtol", NULL, o->rtol},
        {"atol", NULL, o->atol}, {"h0", NULL, o->h0}, {"h_max", NULL, o->h_max},
        {"max_steps", NULL, (double)o->max_steps}, {"controller", controller, 0},
        {"spectral_radius", NULL, o->spectral_radius}, {"steady", NULL, o->steady},
        {"atol_count", NULL, (double)o->atol_count}};
    static_assert(sizeof values / sizeof *values == OPTIONS, "OPTIONS is the number of options");
    for (size_t i = 0; i < count; i++) {
        snprintf(items[i].name, ITEM_NAME, "options.%s", values[i].name);
        if (values[i].text)
            snprintf(items[i].value, ITEM_VALUE, "%s", values[i].text);
        else
            snprintf(items[i].value, ITEM_VALUE, "%.17g", values[i].number);
    }
}

/* Item number `index`; 0: there are no more. */
static int item_of(
    const eulercl_problem *problem, const eulercl_options *o, size_t index, struct item *item) {
    static const char *const tuning[] = {"halo_steps", "verify_halos"};
    enum { TUNING = sizeof tuning / sizeof *tuning, FIXED = 2 + OPTIONS + TUNING };
    struct item items[FIXED] = {{"version", ""}, {"problem", ""}};
    eulercl_parameter parameter = {.struct_size = sizeof parameter};
    eulercl_problem_info info = {.struct_size = sizeof info};
    const struct {
        const char *name;
        const double *list;
        int64_t count;
    } lists[] = {
        {"atols", o->atols, o->atol_count}, {"breakpoints", o->breakpoints, o->breakpoint_count}};
    size_t more = index - FIXED; /* number among the items after the fixed ones */
    for (size_t i = 0; index >= FIXED && i < sizeof lists / sizeof *lists; i++) {
        const size_t count = lists[i].list && lists[i].count > 0 ? (size_t)lists[i].count : 0;
        if (more < count) {
            snprintf(item->name, sizeof item->name, "options.%s[%zu]", lists[i].name, more);
            snprintf(item->value, sizeof item->value, "%.17g", lists[i].list[more]);
            return 1;
        }
        more -= count;
    }
    if (index >= FIXED) {
        if (eulercl_problem_get_parameter(problem, more, &parameter, NULL)) return 0;
        snprintf(item->name, sizeof item->name, "parameter %s", parameter.name);
        snprintf(item->value, sizeof item->value, "%.17g", parameter.value);
        return 1;
    }
    eulercl_problem_get_info(problem, &info, NULL);
    snprintf(items[0].value, ITEM_VALUE, "%s", eulercl_version());
    snprintf(items[1].value, ITEM_VALUE, "%s, n = %lld", info.name, (long long)info.n);
    list_options(o, items + 2, OPTIONS);
    for (size_t i = 0; i < TUNING; i++) {
        struct item *const to = &items[2 + OPTIONS + i];
        snprintf(to->name, ITEM_NAME, "options.%s", tuning[i]);
        if (eulercl_options_get(o, tuning[i], to->value, ITEM_VALUE, NULL))
            snprintf(to->value, ITEM_VALUE, "invalid");
    }
    *item = items[index];
    return 1;
}

/* Errors: INVALID, in all processes, if an item of one of them is not that of the first. */
static int compare(const struct transport *t, const eulercl_problem *problem,
    const eulercl_options *options, eulercl_error *error) {
    for (size_t index = 0;; index++) {
        struct item mine = {"", ""}, first;
        const int is_there = item_of(problem, options, index, &mine);
        first = mine;
        int status = t->broadcast(t->user, 0, &first, sizeof first, error);
        if (status) return status;
        int64_t differs = memcmp(&first, &mine, sizeof first) ? t->ranks - t->rank : 0;
        if ((status = t->greatest(t->user, &differs, 1, error))) return status;
        if (differs) {
            char message[512];
            struct item other = mine;
            const int64_t rank = t->ranks - differs;
            status = t->broadcast(t->user, rank, &other, sizeof other, error);
            snprintf(message, sizeof message,
                "the processes differ in %.60s: %.180s in process 0, %.180s in process %lld",
                *first.name ? first.name : other.name, *first.value ? first.value : "nothing",
                *other.value ? other.value : "nothing", (long long)rank);
            return status ? status : fail(error, EULERCL_INVALID, message);
        }
        if (!is_there) return EULERCL_OK;
    }
}

int eulercl_mpi_solver_create(MPI_Comm communicator, const eulercl_problem *problem,
    const eulercl_options *options, eulercl_solver **solver, eulercl_error *error) {
    eulercl_options o;
    struct mpi *m = NULL;
    if (!problem || !solver)
        return fail(error, EULERCL_INVALID, "eulercl_mpi_solver_create: a pointer is NULL");
    eulercl_options_init(&o);
    if (options && options->struct_size <= sizeof o && options->struct_size >= sizeof(size_t))
        memcpy(&o, options, options->struct_size);
    int status = open_transport(communicator, &m, error);
    if (status) return status;
    status = compare(&m->transport, problem, &o, error);
    if (status) {
        destroy(m);
        return status;
    }
    return eulercl_transport_solver_create(problem, options, &m->transport, solver, error);
}

int eulercl_mpi_solver_create_f(MPI_Fint communicator, const eulercl_problem *problem,
    const eulercl_options *options, eulercl_solver **solver, eulercl_error *error) {
    return eulercl_mpi_solver_create(MPI_Comm_f2c(communicator), problem, options, solver, error);
}

/* ---- for programs that load this library while they run ---- */

/* A communicator for the end alone: a process that ends early must not meet the others in another
 * call. */
static MPI_Comm at_end = MPI_COMM_NULL;

int eulercl_mpi_world_begin(int *rank, int *ranks, eulercl_error *error) {
    int given, status = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    if (!status) status = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (!status) status = MPI_Comm_rank(MPI_COMM_WORLD, rank);
    if (!status) status = MPI_Comm_size(MPI_COMM_WORLD, ranks);
    if (!status) status = MPI_Comm_dup(MPI_COMM_WORLD, &at_end);
    return status ? fail_mpi(error, status, "starting MPI") : EULERCL_OK;
}

int eulercl_mpi_world_solver_create(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error) {
    return eulercl_mpi_solver_create(MPI_COMM_WORLD, problem, options, solver, error);
}

int eulercl_mpi_world_greatest(int64_t *value, eulercl_error *error) {
    const struct mpi world = {.all = MPI_COMM_WORLD};
    return greatest((void *)&world, value, 1, error);
}

int eulercl_mpi_world_broadcast(int root, void *memory, uint64_t bytes, eulercl_error *error) {
    const struct mpi world = {.all = MPI_COMM_WORLD};
    int ranks;
    const int status = MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (status) return fail_mpi(error, status, "MPI_Comm_size");
    if (root < 0 || root >= ranks || (bytes && !memory))
        return fail(error, EULERCL_INVALID, "eulercl_mpi_world_broadcast: no such process");
    return broadcast((void *)&world, root, memory, bytes, error);
}

/* Whether all processes have come here, or the patience is over. */
static int meet(MPI_Comm communicator, int is_patient) {
    /* number of pauses, and nanoseconds of each: two seconds in all */
    enum { PATIENCE = 1000, PAUSE = 2000000 };
    const struct timespec pause = {0, PAUSE};
    MPI_Request all;
    int is_done = 0, failed = MPI_Ibarrier(communicator, &all);
    for (int i = 0; !failed && !is_done && (is_patient || i < PATIENCE); i++) {
        failed = MPI_Test(&all, &is_done, MPI_STATUS_IGNORE);
        if (!failed && !is_done) nanosleep(&pause, NULL);
    }
    return is_done && !failed;
}

void eulercl_mpi_world_end(int status, void (*alone)(void)) {
    if (meet(at_end, status == EULERCL_OK)) {
        MPI_Finalize();
        return;
    }
    /* MPICH's launcher forgets what it has not read when it ends the others. */
    const struct timespec pause = {0, 200000000};
    alone();
    nanosleep(&pause, NULL);
    MPI_Abort(MPI_COMM_WORLD, status);
}
