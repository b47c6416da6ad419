/**
 * Algorithms that combine the vectors of all ranks on the root.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.reduce;

import org.jspecify.annotations.NullMarked;
