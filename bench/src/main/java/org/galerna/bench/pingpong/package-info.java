/**
 * Ping-pong between two ranks, next to what else can carry bytes between two threads: the bare cache line, TCP and UNIX
 * sockets, measured in turns in one run. References are never null unless they say so.
 */
@NullMarked
package org.galerna.bench.pingpong;

import org.jspecify.annotations.NullMarked;
