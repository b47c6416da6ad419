/**
 * The collective operations of MPI, written over {@code org.galerna.device}. Each algorithm is a class
 * of its own with its restrictions and its cost declared beside it.
 */
@NullMarked
package org.galerna.collectives;

import org.jspecify.annotations.NullMarked;
