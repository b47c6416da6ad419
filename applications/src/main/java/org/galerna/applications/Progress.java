package org.galerna.applications;

import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Tells a person how far a run is, on standard error. Not thread-safe. */
public abstract sealed class Progress implements AutoCloseable {
    /** How to tell. */
    public enum Mode {
        /** A bar if standard error is a terminal, lines otherwise. */
        AUTO,
        /** A bar that is redrawn in place. */
        BAR,
        /** A line after every quarter. */
        LINES,
        /** A bar that leaves no trace at its end, if standard error is a terminal; nothing otherwise. */
        PASSING,
        /** Not at all. */
        NONE
    }

    private static final int BAR_WIDTH = 78;

    private Progress() {}

    /**
     * Starts to tell.
     *
     * @param task what is being done
     * @param total steps that it takes
     */
    public static Progress start(Mode mode, String task, int total) {
        return switch (mode) {
            case AUTO -> start(standardErrorIsTerminal() ? Mode.BAR : Mode.LINES, task, total);
            case BAR -> new Bar(task, total, false);
            case PASSING -> standardErrorIsTerminal() ? new Bar(task, total, true) : new Silence();
            case LINES -> new Lines(task, total);
            case NONE -> new Silence();
        };
    }

    /** Tells that {@code done} steps are done. Cheap enough for every step. */
    public abstract void update(int done);

    @Override
    public abstract void close();

    /** The JDK knows of a console only if standard input and output are one, too; Linux tells it of each stream. */
    private static boolean standardErrorIsTerminal() {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/2"));
            return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException notLinux) {
            return Optional.ofNullable(System.console())
                    .map(Console::isTerminal)
                    .orElse(false);
        }
    }

    private static final class Bar extends Progress {
        private final ProgressBar bar;

        Bar(String task, int total, boolean passing) {
            boolean unicode = System.err.charset().equals(StandardCharsets.UTF_8);
            ProgressBarBuilder builder = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(total)
                    .setUnit(" steps", 1)
                    .setStyle(unicode ? ProgressBarStyle.COLORFUL_UNICODE_BLOCK : ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(100)
                    .setConsumer(new ConsoleProgressBarConsumer(System.err, BAR_WIDTH));
            if (passing) {
                builder.clearDisplayOnFinish();
            }
            this.bar = builder.build();
        }

        @Override
        public void update(int done) {
            bar.stepTo(done);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    private static final class Lines extends Progress {
        private final PrintStream stream = System.err;
        private final String task;
        private final int total;
        private int quarters;

        Lines(String task, int total) {
            this.task = task;
            this.total = total;
        }

        @Override
        public void update(int done) {
            int reached = (int) (4L * done / total);
            if (reached > quarters) {
                quarters = reached;
                stream.println(task + ": " + 25 * quarters + " % (" + done + " of " + total + " steps)");
            }
        }

        @Override
        public void close() {
            stream.flush();
        }
    }

    private static final class Silence extends Progress {
        @Override
        public void update(int done) {
            // nobody listens
        }

        @Override
        public void close() {
            // nothing to end
        }
    }
}
