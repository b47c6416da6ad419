package org.galerna.bench.suite;

import org.galerna.applications.Progress;

/** Tells a person on standard error how many rows have been measured. */
public final class ProgressListener implements SuiteListener, AutoCloseable {
    private final Progress progress;
    private final int rows;
    private int measured;

    /**
     * A listener.
     *
     * @param task what is being done
     * @param rows how many are to be measured
     */
    public ProgressListener(String task, int rows) {
        this.progress = Progress.start(Progress.Mode.AUTO, task, rows);
        this.rows = rows;
    }

    @Override
    public void onSize(Task task, long bytes) {
        measured = Math.min(measured + 1, rows); // what is measured again comes on top
        progress.update(measured);
    }

    @Override
    public void close() {
        progress.close();
    }
}
