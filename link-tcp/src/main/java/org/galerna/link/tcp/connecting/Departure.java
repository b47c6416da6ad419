package org.galerna.link.tcp.connecting;

/**
 * The end of a peer.
 *
 * @param lost whether it has not said goodbye
 */
public record Departure(int peer, String reason, boolean lost) {}
