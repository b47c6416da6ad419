/** Grids of ranks. */
@NullMarked
package org.galerna.mpi.topology;

import org.jspecify.annotations.NullMarked;
