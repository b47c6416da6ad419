/**
 * Algorithms that combine the vectors of the ranks up to each one, or before it.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.scan;

import org.jspecify.annotations.NullMarked;
