/**
 * Two streams of bytes through memory: its layout, its two ends, and how threads wait at it.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.pipe;

import org.jspecify.annotations.NullMarked;
