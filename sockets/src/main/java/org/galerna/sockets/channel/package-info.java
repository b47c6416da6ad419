/**
 * Channels whose bytes go through pipes, and their adaptors as sockets.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.channel;

import org.jspecify.annotations.NullMarked;
