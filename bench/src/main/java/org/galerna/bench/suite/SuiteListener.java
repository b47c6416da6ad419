package org.galerna.bench.suite;

import java.util.List;
import org.galerna.bench.report.Result;

/** Follows a run of the suite. Called by the thread that runs it. */
public interface SuiteListener {
    /** One that does not listen. */
    SuiteListener NONE = new SuiteListener() {};

    /** A task begins, with as many sizes as it has. */
    default void onStart(Task task) {}

    /** A size has been measured. */
    default void onSize(Task task, long bytes) {}

    /** A task is over. */
    default void onEnd(Task task, List<Result> results) {}
}
