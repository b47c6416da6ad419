/**
 * What lies between {@code mpi} and the device in programs' signatures: groups of ranks, the contexts of a
 * communicator, envelopes. Programs use it through {@code mpi}, or through {@link mpjdev.MPJDev} to send and receive
 * {@link mpjbuf.Buffer}s. References are never null unless they say so.
 */
@NullMarked
package mpjdev;

import org.jspecify.annotations.NullMarked;
