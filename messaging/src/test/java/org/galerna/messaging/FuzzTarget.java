package org.galerna.messaging;

import java.util.List;

/** Decoders that are given any bytes. */
public interface FuzzTarget {
    /** Bytes that can be read, to begin with. */
    List<byte[]> seeds();

    /** Reads the bytes or refuses them. Throws if anything else happens. */
    void read(byte[] bytes);

    /** Of a class with this name. */
    static FuzzTarget of(String name) {
        try {
            return Class.forName(name)
                    .asSubclass(FuzzTarget.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
