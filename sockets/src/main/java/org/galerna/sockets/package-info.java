/**
 * TCP sockets whose bytes go through shared memory when the process at the other end is on the same host and has this too;
 * with any other peer they are plain sockets. See {@code docs/sockets.md}. References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets;

import org.jspecify.annotations.NullMarked;
