/** Communicators: who belongs to them, how they come to their contexts, and what an API adds. */
@NullMarked
package org.galerna.mpi.comm;

import org.jspecify.annotations.NullMarked;
