package org.galerna.mpi.comm;

import java.util.HashMap;
import java.util.Map;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;

/** The keys of attributes that the program of a rank has created. May be used by any thread. */
public final class AttributeKeys {
    private static final int FIRST = 1 << 20;

    /** For each key whether duplicates of a communicator get the value too. */
    private final Map<Integer, Boolean> keys = new HashMap<>();

    private int next = FIRST;

    /** No keys yet. */
    public AttributeKeys() {}

    /** A key that nobody else has. */
    public synchronized int create(boolean inherited) {
        keys.put(next, inherited);
        return next++;
    }

    /** Gives a key up. */
    public synchronized void free(int key) {
        if (keys.remove(key) == null) {
            throw none(key);
        }
    }

    /** Checks that a value can be put under a key: one of the program's choice, or one that has been created and not freed. */
    synchronized void check(int key) {
        if (key >= FIRST && !keys.containsKey(key)) {
            throw none(key);
        }
    }

    synchronized boolean isInherited(int key) {
        return keys.getOrDefault(key, false);
    }

    private static DeviceException none(int key) {
        return new DeviceException(ErrorClass.ARG, "there is no attribute key " + key + ", or it has been freed");
    }
}
