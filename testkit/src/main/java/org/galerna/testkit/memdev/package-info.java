/**
 * A device that matches messages by itself, in the memory of one process: the example of how to write one, and the proof that
 * anybody can. References are never null unless they say so.
 */
@NullMarked
package org.galerna.testkit.memdev;

import org.jspecify.annotations.NullMarked;
