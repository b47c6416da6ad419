/**
 * Algorithms that distribute a block to each rank from the root.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.scatter;

import org.jspecify.annotations.NullMarked;
