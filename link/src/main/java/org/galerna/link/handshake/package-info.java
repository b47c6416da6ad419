/**
 * How two processes prove a key to each other, and what they say afterwards so that nobody else can read it. Used by tcp, by
 * object messaging, by sockets, and by the launcher.
 */
@NullMarked
package org.galerna.link.handshake;

import org.jspecify.annotations.NullMarked;
