/**
 * The buffer that {@code Comm.Pack} and {@code Comm.Unpack} work on. References are never null unless they say so.
 */
@NullMarked
package mpjbuf;

import org.jspecify.annotations.NullMarked;
