package org.galerna.applications.team;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** How much of the time the compilers of this virtual machine work. */
final class CompilerLoad {
    /** Seconds over which the share is taken. */
    private static final double WINDOW = 1.0;

    /** A share of the time that does not count: methods that are seldom called are compiled for a long time. */
    private static final double REST = 0.05;

    private final CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    private long begin = System.nanoTime();
    private long compiledBefore = compiled();
    private boolean isBusy = true;

    private long compiled() {
        return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
                ? 0
                : compilers.getTotalCompilationTime();
    }

    /** Whether they worked for more than a small share of the last full second; true until there is one. */
    boolean isBusy() {
        long now = System.nanoTime();
        double seconds = (now - begin) * 1e-9;
        if (seconds >= WINDOW) {
            long compiled = compiled();
            double share = (compiled - compiledBefore) * 1e-3 / seconds;
            isBusy = share > REST;
            begin = now;
            compiledBefore = compiled;
        }
        return isBusy;
    }
}
