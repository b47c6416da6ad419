/**
 * The message passing interface for Java, mpiJava 1.2, as programs for MPJ Express, FastMPJ and mpiJava use it: a thin
 * shell over the device and the collectives. Names and signatures are those of that interface. References are never
 * null unless they say so; arguments come from programs that no checker has seen, so they are checked all the same.
 */
@NullMarked
package mpi;

import org.jspecify.annotations.NullMarked;
