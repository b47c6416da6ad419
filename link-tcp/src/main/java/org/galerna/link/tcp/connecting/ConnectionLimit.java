package org.galerna.link.tcp.connecting;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many connections a rank keeps. With more, those that were used longest ago are paused, and opened again when they are
 * needed. By default the ranks of a process share half of the files that it may open.
 *
 * <p>The limit gives way where it would stop the job: a rank whose connections are all in use opens one more after a
 * while, and one that is called is let in up to half as many again.
 */
public final class ConnectionLimit {
    /** System property: connections that a rank keeps. */
    public static final String PROPERTY = "galerna.tcp.connections";

    /** Fewer would not do: a rank looks after the next one, and the one before looks after it. */
    public static final int LEAST = 2;

    /** Files of a rank that are no connections: sockets to listen at, and selectors. */
    private static final int OTHER_FILES = 12;

    private static final int LEAST_BY_DEFAULT = 16;

    /** Where the system does not tell how many files may be open. */
    private static final int FILES_IF_UNKNOWN = 1024;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final int FILES = files();

    /** Attachments of this process. */
    private static final AtomicInteger USERS = new AtomicInteger();

    private final OptionalInt wanted;
    private final boolean unlimited;

    /**
     * For one attachment.
     *
     * @param unlimited whether whoever uses it keeps few connections anyway
     */
    public ConnectionLimit(boolean unlimited) {
        this.unlimited = unlimited;
        this.wanted = fromSystemProperties();
        USERS.incrementAndGet();
    }

    /**
     * What the property says; empty if nothing.
     *
     * @throws IllegalArgumentException if it is no such number
     */
    public static OptionalInt fromSystemProperties() {
        String text = System.getProperty(PROPERTY);
        if (text == null) {
            return OptionalInt.empty();
        }
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= LEAST) {
                return OptionalInt.of(number);
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw new IllegalArgumentException(
                PROPERTY + " must be a number of connections, at least " + LEAST + ", not \"" + text + "\"");
    }

    /** Number of connections that are kept. */
    public int most() {
        return unlimited ? Integer.MAX_VALUE : wanted.orElseGet(() -> share(FILES, USERS.get()));
    }

    /** Of these, the number that are not needed to look after each other. */
    public int mostOthers() {
        return Math.max(1, most() - LEAST);
    }

    /** Number of others above which nobody is let in. */
    public int mostAdmitted() {
        int others = mostOthers();
        return (int) Math.min(Integer.MAX_VALUE, others + Math.max(2L, others / 2));
    }

    static int share(int files, int users) {
        return Math.max(LEAST_BY_DEFAULT, files / 2 / Math.max(1, users) - OTHER_FILES);
    }

    /** The attachment is closed. */
    public void release() {
        USERS.decrementAndGet();
    }

    private static int files() {
        try {
            return files(Files.readAllLines(LIMITS));
        } catch (IOException | RuntimeException unknown) {
            return FILES_IF_UNKNOWN;
        }
    }

    /** Reads a line like {@code Max open files 1024 524288 files}. */
    static int files(List<String> limits) {
        for (String line : limits) {
            if (line.startsWith("Max open files")) {
                String soft = line.substring("Max open files".length()).strip().split("\\s+")[0];
                return soft.equals("unlimited")
                        ? Integer.MAX_VALUE
                        : (int) Math.min(Integer.MAX_VALUE, Long.parseLong(soft));
            }
        }
        return FILES_IF_UNKNOWN;
    }
}
