package org.galerna.bench.demo;

import java.util.Optional;
import org.galerna.applications.fdtd.RunSummary;

/**
 * A parallel run, compared with the sequential one.
 *
 * @param difference where it first differs; empty if all bits are equal
 */
record CheckedRun(RunSummary summary, Optional<String> difference) {}
