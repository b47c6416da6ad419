/**
 * Bytes in buffers: copies between buffers of all the kinds that a device takes, and the blocks of the ranks that a
 * buffer is divided into. References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.buffer;

import org.jspecify.annotations.NullMarked;
