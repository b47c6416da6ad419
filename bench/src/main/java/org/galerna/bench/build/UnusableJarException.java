package org.galerna.bench.build;

/** A file cannot take part in a measurement as a build of Galerna; the message is one line that names it and says why. */
public final class UnusableJarException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableJarException(String message) {
        super(message);
    }

    UnusableJarException(String message, Throwable cause) {
        super(message, cause);
    }
}
