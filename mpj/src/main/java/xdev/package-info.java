/**
 * The root of the exceptions, where programs written for MPJ Express expect it. The devices of Galerna are in
 * {@code org.galerna.device}. References are never null unless they say so.
 */
@NullMarked
package xdev;

import org.jspecify.annotations.NullMarked;
