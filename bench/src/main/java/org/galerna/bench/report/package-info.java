/**
 * What a run of the benchmarks has found, as data: a {@link org.galerna.bench.report.Report} holds the machine and one
 * {@link org.galerna.bench.report.Result} per system, benchmark, number of ranks and size. Readers and writers of its
 * forms live here too.
 */
@NullMarked
package org.galerna.bench.report;

import org.jspecify.annotations.NullMarked;
