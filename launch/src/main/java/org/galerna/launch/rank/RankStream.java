package org.galerna.launch.rank;

import java.io.PrintStream;

/** The standard output or standard error output of a rank, which the rank can replace. */
public final class RankStream {
    private final PrintStream first;
    private volatile PrintStream current;

    RankStream(PrintStream first) {
        this.first = first;
        this.current = first;
    }

    /** What it was at the start of the rank. */
    PrintStream first() {
        return first;
    }

    /** What it is now. */
    public PrintStream current() {
        return current;
    }

    /** Replaces it. */
    public void replace(PrintStream stream) {
        // the stand-in for all ranks would come back here
        current = stream instanceof ForwardingPrintStream ? first : stream;
    }
}
