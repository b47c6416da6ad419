package org.galerna.launch;

import java.io.IOException;
import java.util.regex.Pattern;

/** Starts processes, and says plainly why one cannot be started. */
public final class ProcessStart {
    /** As the platform puts it, which has several ways to start a process. */
    private static final Pattern NO_DESCRIPTOR = Pattern.compile("Too many open files|error[:=] ?24\\b");

    private ProcessStart() {}

    /**
     * Starts a process.
     *
     * @throws IOException if it cannot be started; the message is one line that names the program and the reason
     */
    public static Process start(ProcessBuilder builder) throws IOException {
        try {
            return builder.start();
        } catch (IOException failed) {
            throw new IOException(reason(String.valueOf(failed.getMessage())), failed);
        }
    }

    /** Without the advice that the platform adds whatever has happened. */
    static String reason(String message) {
        String first = message.lines().findFirst().orElse(message).strip();
        return NO_DESCRIPTOR.matcher(message).find()
                ? first + "; this process may not have more open, see ulimit -n"
                : first;
    }
}
