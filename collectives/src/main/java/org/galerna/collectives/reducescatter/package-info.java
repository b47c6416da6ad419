/**
 * Algorithms that combine the vectors of all ranks and leave each with its part of the result.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.reducescatter;

import org.jspecify.annotations.NullMarked;
