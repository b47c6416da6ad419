package org.galerna.mpi.object;

/**
 * Serialized objects with room for a header in front.
 *
 * @param bytes header and stream, possibly followed by unused bytes
 * @param length bytes in use
 * @param objects number of objects
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier that is never compared
record EncodedObjects(byte[] bytes, int length, int objects) {}
