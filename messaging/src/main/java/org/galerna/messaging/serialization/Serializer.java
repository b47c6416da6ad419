package org.galerna.messaging.serialization;

import org.jspecify.annotations.Nullable;

/**
 * How the objects of a class become bytes, and bytes objects. One serializer serves all threads at once, so it keeps
 * nothing between calls.
 *
 * @param <T> the class
 */
public interface Serializer<T> {
    /**
     * Writes an object. May be called more than once for one message: when the object turns out to be longer than the
     * space that was claimed for it. So it must write the same bytes each time, and change nothing.
     */
    void write(T value, Exporter out);

    /**
     * Reads what {@link #write} has written.
     *
     * @param reused an object to fill and return, so that none need be made; null, or left alone, if there is none
     */
    T read(Importer in, @Nullable T reused);
}
