/* What a program does in its first seconds, on two ranks: "first", "loop SECONDS", "rate SECONDS", or "mixed ROUNDS", where 0
 * rounds are a few operations of each kind. Rank 0 prints when things happened. StartProgram.java does the same in Java. */
#define _DEFAULT_SOURCE /* clocks */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { TAG = 1, BATCHES = 20, WINDOW = 64, ACROSS = 64, BUCKET_MICROS = 10000, SMALL = 64, LARGE = 1 << 20, KINDS = 17, FEW = 20 };

static const char *names[KINDS] = {
    "send-1", "send-1K", "send-64K", "send-1M", "isend-8", "window-8", "sendrecv-256", "ssend-8", "wildcard-64",
    "probe-64", "persistent-512", "doubles-16", "vector-128", "barrier", "bcast-1K", "allreduce-8", "alltoall-256"
};
static const int operations[KINDS] = {
    8000, 3000, 300, 20, 6000, 250, 6000, 4000, 8000, 5000, 4000, 8000, 3000, 8000, 8000, 5000, 5000
};

static char out[LARGE], in[LARGE];
static double doubles_out[ACROSS * 4], doubles_in[ACROSS * 4];
static MPI_Request persistent[2];
static MPI_Datatype vector;
static int rank, ranks, peer;
static long long begun;

static long long nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long epoch_millis(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec * 1000LL + now.tv_usec / 1000;
}

struct note { long long micros; const char *kind; double nanos; };
static struct note *notes;
static size_t noted, room;

static void note(const char *kind, long long now, double each) {
    if (rank != 0) return;
    if (noted == room) notes = realloc(notes, (room = room ? 2 * room : 4096) * sizeof *notes);
    notes[noted++] = (struct note){(now - begun) / 1000, kind, each};
}

static void ping_pong(void *source, void *target, int count, MPI_Datatype type) {
    if (rank == 0) {
        MPI_Send(source, count, type, peer, TAG, MPI_COMM_WORLD);
        MPI_Recv(target, count, type, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(target, count, type, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(source, count, type, peer, TAG, MPI_COMM_WORLD);
    }
}

static void window(void) {
    MPI_Request requests[WINDOW];
    for (int index = 0; index < WINDOW; index++) {
        if (rank == 0) MPI_Isend(out, 8, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &requests[index]);
        else MPI_Irecv(in + index * 8, 8, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &requests[index]);
    }
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    if (rank == 0) MPI_Recv(in, 1, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else MPI_Send(out, 1, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
}

static void operation(int kind, int index) {
    MPI_Request requests[2];
    MPI_Status status;
    int count;
    switch (kind) {
        case 0: ping_pong(out, in, 1, MPI_BYTE); break;
        case 1: ping_pong(out, in, 1 << 10, MPI_BYTE); break;
        case 2: ping_pong(out, in, 1 << 16, MPI_BYTE); break;
        case 3: ping_pong(out, in, LARGE, MPI_BYTE); break;
        case 4:
            MPI_Irecv(in, 8, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(out, 8, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &requests[1]);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
            break;
        case 5: window(); break;
        case 6:
            MPI_Sendrecv(out, 256, MPI_BYTE, peer, TAG, in, 256, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            break;
        case 7:
            if (rank == 0) {
                MPI_Ssend(out, 8, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
                MPI_Recv(in, 8, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(in, 8, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Ssend(out, 8, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
            }
            break;
        case 8:
            if (rank == 0) MPI_Send(out, SMALL, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
            MPI_Recv(in, SMALL, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1) MPI_Send(out, SMALL, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
            break;
        case 9:
            if (rank == 0) MPI_Send(out, SMALL, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
            MPI_Probe(peer, TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_BYTE, &count);
            MPI_Recv(in, count, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1) MPI_Send(out, SMALL, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
            break;
        case 10:
            MPI_Startall(2, persistent);
            MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
            break;
        case 11: ping_pong(doubles_out, doubles_in, 16, MPI_DOUBLE); break;
        case 12: ping_pong(doubles_out, doubles_in, 1, vector); break;
        case 13: MPI_Barrier(MPI_COMM_WORLD); break;
        case 14: MPI_Bcast(rank == index % 2 ? out : in, 1 << 10, MPI_BYTE, index % 2, MPI_COMM_WORLD); break;
        case 15: MPI_Allreduce(doubles_out, doubles_in, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
        default: MPI_Alltoall(out, 256, MPI_BYTE, in, 256, MPI_BYTE, MPI_COMM_WORLD); break;
    }
}

static void round_of(int batches, int part) {
    for (int kind = 0; kind < KINDS; kind++) {
        int count = operations[kind] / part;
        for (int batch = 0; batch < batches; batch++) {
            long long start = nanos(), now;
            for (int index = 0; index < count; index++) operation(kind, index);
            now = nanos();
            note(names[kind], now, (double) (now - start) / count);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void mixed(int rounds) {
    for (int round = 0; round < rounds; round++) round_of(BATCHES, 1);
    if (rounds == 0) round_of(1, FEW);
}

static void loop(int windows, int seconds) {
    long long end = seconds * 1000000000LL, spent = 0, bucket = BUCKET_MICROS;
    int batch = windows ? 10 : 50, done = 0;
    char goes_on = 1;
    while (goes_on) {
        long long start = nanos(), now;
        for (int index = 0; index < batch; index++) {
            if (windows) window();
            else ping_pong(out, in, 1, MPI_BYTE);
        }
        now = nanos();
        done += batch;
        spent += now - start;
        if (rank == 0 && (now - begun) / 1000 >= bucket) {
            note("loop", now, (double) spent / done);
            done = 0;
            spent = 0;
            bucket = ((now - begun) / 1000 / BUCKET_MICROS + 1) * BUCKET_MICROS;
        }
        goes_on = now - begun < end;
        if (rank == 0) MPI_Send(&goes_on, 1, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
        else MPI_Recv(&goes_on, 1, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int arguments, char **values) {
    const char *mode = arguments > 1 ? values[1] : "first";
    int amount = arguments > 2 ? atoi(values[2]) : 0;
    long long initialized, first = 0;
    MPI_Init(NULL, NULL);
    initialized = epoch_millis();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    peer = 1 - rank;
    begun = nanos();
    if (strcmp(mode, "first") == 0) {
        char one = 0;
        if (rank > 0) MPI_Send(&one, 1, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
        for (int other = 1; rank == 0 && other < ranks; other++)
            MPI_Recv(&one, 1, MPI_BYTE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        first = epoch_millis();
    } else {
        MPI_Recv_init(in, 512, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &persistent[0]);
        MPI_Send_init(out, 512, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &persistent[1]);
        MPI_Type_vector(ACROSS, 2, 4, MPI_DOUBLE, &vector);
        MPI_Type_commit(&vector);
        memset(out, 'a', sizeof out);
        for (int index = 0; index < ACROSS * 4; index++) doubles_out[index] = 1;
        if (strcmp(mode, "mixed") == 0) mixed(amount);
        else loop(strcmp(mode, "rate") == 0, amount);
        MPI_Request_free(&persistent[0]);
        MPI_Request_free(&persistent[1]);
        MPI_Type_free(&vector);
    }
    if (rank == 0) {
        printf("init %lld\n", initialized);
        if (first > 0) printf("first %lld\n", first);
        for (size_t index = 0; index < noted; index++)
            printf("batch %lld %s %.0f\n", notes[index].micros, notes[index].kind, notes[index].nanos);
    }
    MPI_Finalize();
    return 0;
}
