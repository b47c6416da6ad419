/**
 * Ping-pong: one message back and forth between two ends, over Galerna and over what it competes with. Results are
 * {@link org.galerna.bench.pingpong.LatencyRow}s, whatever the transport. References are never null unless they say so.
 */
@NullMarked
package org.galerna.bench.pingpong;

import org.jspecify.annotations.NullMarked;
