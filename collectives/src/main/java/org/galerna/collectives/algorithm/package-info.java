/**
 * What an algorithm has to declare and to do, one interface for each collective operation. The algorithms themselves
 * live in one package for each operation. References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.algorithm;

import org.jspecify.annotations.NullMarked;
