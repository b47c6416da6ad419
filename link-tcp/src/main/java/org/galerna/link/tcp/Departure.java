package org.galerna.link.tcp;

/**
 * The end of a peer.
 *
 * @param lost whether it has not said goodbye
 */
record Departure(int peer, String reason, boolean lost) {}
