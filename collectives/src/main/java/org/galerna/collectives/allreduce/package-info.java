/**
 * Algorithms that combine the vectors of all ranks on all of them. Each element of the result is either computed
 * once and distributed, or computed everywhere from the same operands in the same order: the ranks agree bit for bit.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.allreduce;

import org.jspecify.annotations.NullMarked;
