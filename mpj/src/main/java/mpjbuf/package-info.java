/**
 * Buffers of sections, where programs written for MPJ Express expect them. References are never null unless they say so.
 */
@NullMarked
package mpjbuf;

import org.jspecify.annotations.NullMarked;
