package org.galerna.nativeaccess.memory;

/** Memory that an adapter can reach until this is closed. */
public interface RegisteredMemory extends AutoCloseable {
    /** Its first byte. */
    long address();

    /** Its bytes. */
    long length();

    /** Lets the memory go. Idempotent. */
    @Override
    void close();
}
