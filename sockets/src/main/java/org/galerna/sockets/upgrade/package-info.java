/**
 * When a connection is worth a pipe and which way it takes, and what all sockets of the process share.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.upgrade;

import org.jspecify.annotations.NullMarked;
