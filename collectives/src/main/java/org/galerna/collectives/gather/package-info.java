/**
 * Algorithms that collect a block of each rank on the root.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.gather;

import org.jspecify.annotations.NullMarked;
