/**
 * Sockets of the platform and fast ones, measured in turns: two pairs of processes that run the same program, which differ
 * in the options of Java alone.
 */
@NullMarked
package org.galerna.bench.sockets;

import org.jspecify.annotations.NullMarked;
