/**
 * Galerna itself under measurement, at each of its levels, and the machine's own limits: a
 * {@link org.galerna.bench.galerna.Messenger} for each, the benchmarks that run over them, and the programs that answer
 * to the suite's driver. References are never null unless they say so.
 */
@NullMarked
package org.galerna.bench.galerna;

import org.jspecify.annotations.NullMarked;
