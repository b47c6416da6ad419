package org.galerna.mpi.comm;

import java.util.HashMap;
import java.util.Map;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/** What a program keeps at a communicator under integer keys. May be used by any thread. */
public final class Attributes {
    private final AttributeKeys keys;
    private final Map<Integer, Object> values = new HashMap<>(0);

    /** No attributes yet. */
    public Attributes(AttributeKeys keys) {
        this.keys = keys;
    }

    /** The value kept under a key; null if there is none. */
    public synchronized @Nullable Object get(int key) {
        return values.get(key);
    }

    /** Keeps a value. */
    public synchronized void put(int key, @Nullable Object value) {
        keys.check(key);
        if (value == null) {
            throw new DeviceException(ErrorClass.ARG, "the value of attribute " + key + " is null; delete it instead");
        }
        values.put(key, value);
    }

    /** Forgets a value. */
    public synchronized void delete(int key) {
        keys.check(key);
        values.remove(key);
    }

    /** Takes over what a duplicate of a communicator is to have. */
    public void inherit(Attributes original) {
        Map<Integer, Object> copied;
        synchronized (original) {
            copied = new HashMap<>(original.values);
        }
        copied.keySet().removeIf(key -> !keys.isInherited(key));
        synchronized (this) {
            values.putAll(copied);
        }
    }
}
