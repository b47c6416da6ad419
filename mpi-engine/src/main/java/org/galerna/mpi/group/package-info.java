/** Ordered sets of ranks. */
@NullMarked
package org.galerna.mpi.group;

import org.jspecify.annotations.NullMarked;
