/** Object messaging under the suite's benchmarks: each node a process. */
@NullMarked
package org.galerna.bench.messaging;

import org.jspecify.annotations.NullMarked;
