package org.galerna.launch.report;

/** The exit statuses of a job that the program has not chosen itself. */
public final class ExitStatus {
    /** Every rank has come to its end. */
    public static final int OK = 0;

    /** A rank has died of an exception. */
    public static final int FAILED = 1;

    /** The job could not be started as described: unknown option, missing class and the like. */
    public static final int USAGE = 2;

    /** All ranks waited for each other. */
    public static final int DEADLOCK = 3;

    /** The job has exceeded its time limit. */
    public static final int TIMEOUT = 124;

    /** The job was interrupted from the keyboard (SIGINT); other signals have 128 plus their number too. */
    public static final int INTERRUPTED = 130;

    /** What the status of a process that was ended by a signal exceeds the signal's number by. */
    public static final int SIGNAL = 128;

    private ExitStatus() {}
}
