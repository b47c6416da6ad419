package org.galerna.cli.source;

/** A source file that cannot be the program; the message is one sentence for the person who wants to run it. */
public final class SourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean explained;

    private SourceException(String message, boolean explained) {
        super(message);
        this.explained = explained;
    }

    /** A file that is not a program. */
    static SourceException notAProgram(String reason) {
        return new SourceException(reason, false);
    }

    /** A program with errors; the compiler has printed them. */
    static SourceException withErrors() {
        return new SourceException("compilation failed", true);
    }

    /** Whether the compiler has printed what is wrong. */
    public boolean isExplained() {
        return explained;
    }
}
