/**
 * Algorithms that exchange a block between every two ranks.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.alltoall;

import org.jspecify.annotations.NullMarked;
