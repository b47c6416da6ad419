/**
 * Ranks that are processes started by a job manager that was there already: MPICH's {@code mpiexec}, Open MPI's
 * {@code mpirun}, PRRTE, Slurm's {@code srun}. One class speaks each manager's protocol, {@link
 * org.galerna.launch.wireup.ManagedWireup} makes a wire-up of it. References are never null unless they say so.
 */
@NullMarked
package org.galerna.launch.wireup;

import org.jspecify.annotations.NullMarked;
