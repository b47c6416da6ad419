/**
 * The message passing interface for Java, mpiJava 1.2, as programs for MPJ Express, FastMPJ and mpiJava use it: a thin
 * shell over the device and the collectives. Names and signatures are those of that interface. Where ranks are threads
 * of one virtual machine each of them has a class {@link mpi.MPI} of its own, for its static fields, and all share the other
 * classes, whose state is that of objects: of {@link mpi.Environment}, or of what a program holds. References are never
 * null unless they say so; arguments come from programs that no checker has seen, so they are checked all the same.
 */
@NullMarked
package mpi;

import org.jspecify.annotations.NullMarked;
