package org.galerna.device;

/**
 * Envelope of a message that has arrived.
 *
 * @param source rank that sent it
 * @param tag its tag
 * @param length its size in bytes
 */
public record Status(int source, int tag, long length) {}
