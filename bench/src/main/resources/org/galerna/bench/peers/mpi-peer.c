/*
 * What a C MPI reaches on this machine, for Galerna to be compared with.
 *
 * Started as "mpiexec -n N mpi-peer <directory>". The directory holds named pipes: every rank reads its commands from
 * "<rank>.cmd", and rank 0 writes one line for each to "result". Between commands every rank sits in a blocking read and
 * leaves the processors to whoever is measured meanwhile. The end of the commands ends the rank, too, so that nothing
 * outlives a driver that died.
 *
 *   <benchmark> <bytes> <iterations> <window>           ok <nanoseconds of all iterations, on the slowest rank>
 *   percentiles latency <bytes> <iterations> 0          ok <p50> <p95> <p99> <p99.9> <max>, one way, nanoseconds
 *   quit
 *
 * What cannot be run is answered with "no <reason>". Every rank gets the same commands, and so comes to the same verdict
 * before anybody communicates. Sizes mean what they mean in the OSU micro-benchmarks: of gather, scatter, allgather and
 * alltoall the block of one rank, of the others the whole vector. The root is rank 0. An iteration of "latency" is a
 * whole round trip; one of "bandwidth", "bibandwidth" and "rate" is a window of messages and an acknowledgement.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAGE = 4096, DATA_TAG = 1, ACKNOWLEDGEMENT_TAG = 2, ACKNOWLEDGEMENT_BYTES = 4 };

static const double CONNECTING_SECONDS = 0.1, LAST_MESSAGES_SECONDS = 200e-6;

static int rank, ranks;

/* Reused by all commands, page-aligned, never holding zeros; they only grow. */
static char *source, *target;
static size_t capacity;
static MPI_Request *requests;
static int request_capacity;
static int *counts;

struct command {
    char benchmark[32];
    long bytes;
    long iterations;
    int window;
    /* Elements of a reduction. */
    int doubles;
};

/* The end of this rank alone would leave the others waiting. */
static void fail(const char *what) {
    fprintf(stderr, "mpi-peer, rank %d: %s: %s\n", rank, what, strerror(errno));
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static char *filled_pages(size_t bytes, int filling) {
    void *pages;
    errno = posix_memalign(&pages, PAGE, bytes);
    if (errno != 0) {
        fail("no memory for a buffer");
    }
    memset(pages, filling, bytes);
    return pages;
}

static void provide_buffers(size_t bytes) {
    if (bytes <= capacity) {
        return;
    }
    free(source);
    free(target);
    source = filled_pages(bytes, 'a');
    target = filled_pages(bytes, 'b');
    capacity = bytes;
}

static void provide_requests(int count) {
    if (count <= request_capacity) {
        return;
    }
    requests = realloc(requests, count * sizeof(MPI_Request));
    if (requests == NULL) {
        fail("no memory for requests");
    }
    request_capacity = count;
}

/* One window to the receiver, and its acknowledgement. */
static void send_window(const struct command *c, int receiver) {
    for (int i = 0; i < c->window; i++) {
        MPI_Isend(source, (int)c->bytes, MPI_BYTE, receiver, DATA_TAG, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(c->window, requests, MPI_STATUSES_IGNORE);
    MPI_Recv(target, ACKNOWLEDGEMENT_BYTES, MPI_BYTE, receiver, ACKNOWLEDGEMENT_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive_window(const struct command *c, int sender) {
    for (int i = 0; i < c->window; i++) {
        MPI_Irecv(target, (int)c->bytes, MPI_BYTE, sender, DATA_TAG, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(c->window, requests, MPI_STATUSES_IGNORE);
    MPI_Send(source, ACKNOWLEDGEMENT_BYTES, MPI_BYTE, sender, ACKNOWLEDGEMENT_TAG, MPI_COMM_WORLD);
}

static void exchange_windows(const struct command *c, int peer) {
    for (int i = 0; i < c->window; i++) {
        MPI_Irecv(target, (int)c->bytes, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < c->window; i++) {
        MPI_Isend(source, (int)c->bytes, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, &requests[c->window + i]);
    }
    MPI_Waitall(2 * c->window, requests, MPI_STATUSES_IGNORE);
    /* As in OSU's benchmark, one side acknowledges: the answer proves that both windows have arrived. */
    if (rank == 0) {
        MPI_Recv(target, ACKNOWLEDGEMENT_BYTES, MPI_BYTE, peer, ACKNOWLEDGEMENT_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(source, ACKNOWLEDGEMENT_BYTES, MPI_BYTE, peer, ACKNOWLEDGEMENT_TAG, MPI_COMM_WORLD);
    }
}

static void ping(const struct command *c) {
    MPI_Send(source, (int)c->bytes, MPI_BYTE, 1, DATA_TAG, MPI_COMM_WORLD);
    MPI_Recv(target, (int)c->bytes, MPI_BYTE, 1, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pong(const struct command *c) {
    MPI_Recv(target, (int)c->bytes, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(source, (int)c->bytes, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD);
}

static void latency(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        if (rank == 0) {
            ping(c);
        } else if (rank == 1) {
            pong(c);
        }
    }
}

static void stream(const struct command *c, int senders) {
    for (long i = 0; i < c->iterations; i++) {
        if (rank < senders) {
            send_window(c, rank + senders);
        } else if (rank < 2 * senders) {
            receive_window(c, rank - senders);
        }
    }
}

static void bandwidth(const struct command *c) {
    stream(c, 1);
}

static void rate(const struct command *c) {
    stream(c, ranks / 2);
}

static void bibandwidth(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        if (rank < 2) {
            exchange_windows(c, 1 - rank);
        }
    }
}

static void barrier(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void bcast(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Bcast(source, (int)c->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

static void reduce(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Reduce(source, target, c->doubles, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
}

static void allreduce(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Allreduce(source, target, c->doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void allgather(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Allgather(source, (int)c->bytes, MPI_BYTE, target, (int)c->bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
}

static void alltoall(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Alltoall(source, (int)c->bytes, MPI_BYTE, target, (int)c->bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
}

static void gather(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Gather(source, (int)c->bytes, MPI_BYTE, target, (int)c->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

static void scatter(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Scatter(source, (int)c->bytes, MPI_BYTE, target, (int)c->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

static void reducescatter(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Reduce_scatter(source, target, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void scan(const struct command *c) {
    for (long i = 0; i < c->iterations; i++) {
        MPI_Scan(source, target, c->doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

enum kind { PAIR, STREAM, BYTES, DOUBLES };

static const struct benchmark {
    const char *name;
    enum kind kind;
    void (*run)(const struct command *);
} benchmarks[] = {
    {"latency", PAIR, latency},
    {"bandwidth", STREAM, bandwidth},
    {"bibandwidth", STREAM, bibandwidth},
    {"rate", STREAM, rate},
    {"barrier", BYTES, barrier},
    {"bcast", BYTES, bcast},
    {"reduce", DOUBLES, reduce},
    {"allreduce", DOUBLES, allreduce},
    {"allgather", BYTES, allgather},
    {"alltoall", BYTES, alltoall},
    {"gather", BYTES, gather},
    {"scatter", BYTES, scatter},
    {"reducescatter", DOUBLES, reducescatter},
    {"scan", DOUBLES, scan},
};

static const struct benchmark *find_benchmark(const char *name) {
    for (size_t i = 0; i < sizeof benchmarks / sizeof *benchmarks; i++) {
        if (strcmp(benchmarks[i].name, name) == 0) {
            return &benchmarks[i];
        }
    }
    return NULL;
}

/* Why the command cannot be run; NULL if it can. */
static const char *objection(const struct benchmark *benchmark, const struct command *c) {
    if (benchmark == NULL) {
        return "unknown benchmark";
    }
    if (c->bytes < 0 || c->bytes > INT_MAX) {
        return "the size must be 0 to 2147483647 bytes";
    }
    if (c->iterations < 1 || c->iterations > 1000000000) {
        return "there must be 1 to 1000000000 iterations";
    }
    if ((benchmark->kind == PAIR || benchmark->kind == STREAM) && ranks < 2) {
        return "this benchmark needs two ranks";
    }
    if (benchmark->kind == STREAM && (c->window < 1 || c->window > 1 << 20)) {
        return "the window must be 1 to 1048576 messages";
    }
    if (benchmark->kind == DOUBLES && c->bytes % sizeof(double) != 0) {
        return "the size of a vector of doubles must be a multiple of 8 bytes";
    }
    return NULL;
}

/* Makes everything ready that must not be part of the time. */
static void prepare(enum kind kind, struct command *c) {
    size_t blocks = kind == BYTES ? (size_t)ranks : 1;
    size_t bytes = blocks * (size_t)c->bytes;
    provide_buffers(bytes < PAGE ? PAGE : bytes);
    if (kind == STREAM) {
        provide_requests(2 * c->window);
    }
    c->doubles = (int)(c->bytes / (long)sizeof(double));
    for (int i = 0; i < ranks; i++) {
        counts[i] = c->doubles / ranks + (i < c->doubles % ranks ? 1 : 0);
    }
}

static void measure(const struct benchmark *benchmark, struct command *c, FILE *result) {
    prepare(benchmark->kind, c);
    MPI_Barrier(MPI_COMM_WORLD);
    long long start = now();
    benchmark->run(c);
    long long duration = now() - start;
    long long slowest = 0;
    MPI_Reduce(&duration, &slowest, 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        fprintf(result, "ok %lld\n", slowest);
    }
}

static int ascending(const void *left, const void *right) {
    long long a = *(const long long *)left, b = *(const long long *)right;
    return (a > b) - (a < b);
}

/* The smallest of the sorted round trips that no fewer than so many of a thousand reach; one way, rounded. */
static long long one_way(const long long *sorted, long count, long permille) {
    long position = (count * permille + 999) / 1000;
    return (sorted[position - 1] + 1) / 2;
}

static void measure_percentiles(struct command *c, FILE *result) {
    long long *round_trips = NULL;
    if (rank == 0) {
        round_trips = (long long *)filled_pages(c->iterations * sizeof(long long), 1);
    }
    prepare(PAIR, c);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < c->iterations; i++) {
        if (rank == 0) {
            long long start = now();
            ping(c);
            round_trips[i] = now() - start;
        } else if (rank == 1) {
            pong(c);
        }
    }
    if (rank == 0) {
        long n = c->iterations;
        qsort(round_trips, n, sizeof *round_trips, ascending);
        fprintf(result, "ok %lld %lld %lld %lld %lld\n", one_way(round_trips, n, 500), one_way(round_trips, n, 950),
                one_way(round_trips, n, 990), one_way(round_trips, n, 999), one_way(round_trips, n, 1000));
    }
    free(round_trips);
}

static void refuse(const char *reason, FILE *result) {
    if (rank == 0) {
        fprintf(result, "no %s\n", reason);
    }
}

static void obey(const char *line, FILE *result) {
    static const char prefix[] = "percentiles ";
    int percentiles = strncmp(line, prefix, sizeof prefix - 1) == 0;
    const char *rest = percentiles ? line + sizeof prefix - 1 : line;
    struct command c = {0};
    if (sscanf(rest, "%31s %ld %ld %d", c.benchmark, &c.bytes, &c.iterations, &c.window) != 4) {
        refuse("a command is: <benchmark> <bytes> <iterations> <window>", result);
        return;
    }
    const struct benchmark *benchmark = find_benchmark(c.benchmark);
    const char *reason = objection(benchmark, &c);
    if (reason == NULL && percentiles && benchmark->run != latency) {
        reason = "percentiles are of latency only";
    }
    if (reason != NULL) {
        refuse(reason, result);
    } else if (percentiles) {
        measure_percentiles(&c, result);
    } else {
        measure(benchmark, &c, result);
    }
}

static FILE *open_pipe(const char *directory, const char *name, const char *mode) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *pipe = fopen(path, mode);
    if (pipe == NULL) {
        fail(path);
    }
    return pipe;
}

/* Goes on making calls for a while. Some libraries connect, and send what was given to them last, only within calls, and a rank
 * that reads commands makes none. */
static void make_progress(double seconds) {
    double end = MPI_Wtime() + seconds;
    while (MPI_Wtime() < end) {
        int found;
        MPI_Iprobe(MPI_ANY_SOURCE, DATA_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    }
}

static int is_ready(FILE *pipe) {
    struct pollfd wanted = {.fd = fileno(pipe), .events = POLLIN};
    return poll(&wanted, 1, 0) == 1 && (wanted.revents & POLLIN) != 0;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 2) {
        errno = EINVAL;
        fail("start it as: mpi-peer <directory of the named pipes>");
    }
    counts = calloc(ranks, sizeof *counts);
    if (counts == NULL) {
        fail("no memory for counts");
    }
    for (int i = 1; i < ranks; i++) { // all pairs connect
        MPI_Sendrecv(NULL, 0, MPI_BYTE, (rank + i) % ranks, DATA_TAG, NULL, 0, MPI_BYTE, (rank - i + ranks) % ranks, DATA_TAG,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    make_progress(CONNECTING_SECONDS);
    char name[32];
    snprintf(name, sizeof name, "%d.cmd", rank);
    FILE *commands = open_pipe(argv[1], name, "r");
    setvbuf(commands, NULL, _IONBF, 0); // so that is_ready sees what is there
    FILE *result = rank == 0 ? open_pipe(argv[1], "result", "w") : NULL;

    char line[256];
    while (fgets(line, sizeof line, commands) != NULL && strcmp(line, "quit\n") != 0) {
        obey(line, result);
        make_progress(LAST_MESSAGES_SECONDS); // before the driver hears: nobody else is measured yet
        // the driver, which wakes up for it, takes no time of the next command then
        if (rank == 0 && !is_ready(commands)) {
            fflush(result);
        }
    }
    MPI_Finalize();
    return 0;
}
