/** A rank of a job, from the start of MPI to its end, and what belongs to the rank: contexts, attached memory. */
@NullMarked
package org.galerna.mpi.session;

import org.jspecify.annotations.NullMarked;
