/**
 * Algorithms of the broadcast: trees for short messages, whose cost is the latency, and algorithms that divide the
 * message for long ones, whose cost is the bandwidth. References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.broadcast;

import org.jspecify.annotations.NullMarked;
