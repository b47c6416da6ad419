package org.galerna.profile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kinds of calls of package {@code mpi} that are timed, in the order in which pages show them. */
public enum CallKind {
    /** Sends, blocking or not. */
    SEND("send", "Send Ssend Bsend Rsend Isend Issend Ibsend Irsend Start Startall"),
    /** Receives and probes, blocking or not, and calls that send and receive. */
    RECEIVE("receive", "Recv Irecv Probe Iprobe Sendrecv Sendrecv_replace"),
    /** Waits and tests of requests. */
    WAIT("wait", "Wait Waitall Waitany Waitsome Test Testall Testany Testsome"),
    /** Collective operations. */
    COLLECTIVE(
            "collective",
            "Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Reduce Allreduce"
                    + " Reduce_scatter Scan Exscan"
                    + " Ibarrier Ibcast Igather Igatherv Iscatter Iscatterv Iallgather Iallgatherv Ialltoall Ialltoallv"
                    + " Ireduce Iallreduce Ireduce_scatter Iscan Iexscan"),
    /** Start and end of MPI, and communicators that are made or freed. */
    SETUP(
            "set-up",
            "Init initThread InitThread Finalize clone Create Creat Split Create_cart Create_graph Create_intercomm Merge Sub Free");

    private static final List<CallKind> ORDER = List.of(values());
    private static final Map<String, CallKind> BY_METHOD = new HashMap<>();

    static {
        for (CallKind kind : values()) {
            for (String method : kind.methods.split(" ")) {
                BY_METHOD.put(method, kind);
            }
        }
    }

    private final String word;
    private final String methods;

    CallKind(String word, String methods) {
        this.word = word;
        this.methods = methods;
    }

    /** Its place in the order of pages and files. */
    public int position() {
        return ORDER.indexOf(this);
    }

    /** The kind in words. */
    public String word() {
        return word;
    }

    /** The kind of a method; null for one that takes no time to speak of. */
    public static @Nullable CallKind of(String method) {
        return BY_METHOD.get(method);
    }

    /** Whether all ranks of the communicator make a call together and wait for each other in it. */
    public static boolean isTogether(String method) {
        return of(method) == COLLECTIVE && Character.isUpperCase(method.charAt(0)) && !isStarted(method);
    }

    /** The collective operation of a method: {@code Iallreduce} starts what {@code Allreduce} does. */
    public static String operation(String method) {
        return isStarted(method) ? Character.toUpperCase(method.charAt(1)) + method.substring(2) : method;
    }

    private static boolean isStarted(String method) {
        return method.startsWith("I") && Character.isLowerCase(method.charAt(1));
    }
}
