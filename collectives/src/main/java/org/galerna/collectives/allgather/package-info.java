/**
 * Algorithms that collect a block of each rank on all ranks. They work in the receive buffer, where the caller has
 * put the block of the rank itself. References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.allgather;

import org.jspecify.annotations.NullMarked;
