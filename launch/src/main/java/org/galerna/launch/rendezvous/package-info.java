/**
 * Galerna's own wire-up of ranks that are processes: the messages between ranks, the agent of their host and the launcher,
 * and the rank's end of the conversation. References are never null unless they say so.
 */
@NullMarked
package org.galerna.launch.rendezvous;

import org.jspecify.annotations.NullMarked;
