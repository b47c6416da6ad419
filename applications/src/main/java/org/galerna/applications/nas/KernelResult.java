package org.galerna.applications.nas;

import java.util.List;

/**
 * What a kernel has computed, on rank 0.
 *
 * @param name two letters
 * @param size the size of the problem, as it is printed
 * @param iterations how many were timed
 * @param operations the type of the operations that are counted
 * @param seconds of the timed part
 * @param operationCount as the benchmark counts them
 * @param verified whether the results are those of the specification
 * @param details lines about the results
 */
record KernelResult(
        String name,
        String size,
        int iterations,
        String operations,
        double seconds,
        double operationCount,
        boolean verified,
        List<String> details) {
    /** Millions of operations in a second. */
    double mops() {
        return seconds > 0 ? operationCount / seconds * 1e-6 : 0;
    }
}
