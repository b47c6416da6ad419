/**
 * How fast a program is in its first seconds: from the command to the first message, and while it does things for the first
 * time. {@link org.galerna.bench.start.StartBenchmark} runs the same program on several systems in turns. References are never
 * null unless they say so.
 */
@NullMarked
package org.galerna.bench.start;

import org.jspecify.annotations.NullMarked;
