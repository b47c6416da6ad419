/** Calls of collectives: checks of their arguments, memory for them, objects, operations of programs. */
@NullMarked
package org.galerna.mpi.collective;

import org.jspecify.annotations.NullMarked;
