package org.galerna.link.tcp.network;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The addresses of a job's ranks as far as they are known: one table for all ranks of a process. Safe for many threads. */
final class SharedAddresses {
    /** By attachment; a table lives as long as a rank uses it. */
    private static final Map<String, WeakReference<SharedAddresses>> TABLES = new HashMap<>();

    private final AtomicReferenceArray<@Nullable Address> addresses;

    private SharedAddresses(int size) {
        this.addresses = new AtomicReferenceArray<>(size);
    }

    /** The table of an attachment. */
    static SharedAddresses of(String attachment, int size) {
        synchronized (TABLES) {
            WeakReference<SharedAddresses> known = TABLES.get(attachment);
            SharedAddresses table = known == null ? null : known.get();
            if (table == null) {
                TABLES.values().removeIf(each -> each.get() == null);
                table = new SharedAddresses(size);
                TABLES.put(attachment, new WeakReference<>(table));
            }
            return table;
        }
    }

    int size() {
        return addresses.length();
    }

    @Nullable
    Address get(int rank) {
        return addresses.get(rank);
    }

    void set(int rank, Address address) {
        addresses.set(rank, address);
    }
}
