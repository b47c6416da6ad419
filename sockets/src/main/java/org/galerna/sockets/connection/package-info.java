/**
 * A TCP connection that may be upgraded to a pipe while it is used, and the streams of a socket on it.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.connection;

import org.jspecify.annotations.NullMarked;
