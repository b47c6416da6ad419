package org.galerna.bench.suite;

import java.io.PrintStream;
import java.util.List;
import org.galerna.applications.Progress;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.TextTable;
import org.jspecify.annotations.Nullable;

/** Prints the table of each task when it is over, and shows on a terminal how far the task is meanwhile. */
public final class ConsoleListener implements SuiteListener {
    private final PrintStream out;
    private @Nullable Progress progress;
    private int sizes;

    /**
     * A listener.
     *
     * @param out where the tables go; progress goes to standard error
     */
    public ConsoleListener(PrintStream out) {
        this.out = out;
    }

    @Override
    public void onStart(Task task) {
        sizes = 0;
        progress = Progress.start(
                Progress.Mode.PASSING,
                task.benchmark().word() + " on " + task.ranks() + " ranks",
                task.bytes().size());
    }

    @Override
    public void onSize(Task task, long bytes) {
        sizes++;
        if (progress != null) {
            progress.update(sizes);
        }
    }

    @Override
    public void onEnd(Task task, List<Result> results) {
        if (progress != null) {
            progress.close();
        }
        out.println(TextTable.of(results));
        out.flush();
    }
}
