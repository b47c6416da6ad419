package mpi;

import java.util.HashMap;
import java.util.Map;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/** What is kept at a communicator under integer keys. */
final class Attributes {
    static final int TAG_UB = 1;
    static final int HOST = 2;
    static final int IO = 3;

    private @Nullable Map<Integer, Integer> values;

    @Nullable
    synchronized Object get(int key, int jobRank) {
        return switch (key) {
            case TAG_UB -> Integer.MAX_VALUE;
            case HOST -> Constants.PROC_NULL;
            case IO -> jobRank;
            default -> values == null ? null : values.get(key);
        };
    }

    synchronized void put(int key, int value) {
        checkFree(key);
        if (values == null) {
            values = new HashMap<>();
        }
        values.put(key, value);
    }

    synchronized void delete(int key) {
        checkFree(key);
        if (values != null) {
            values.remove(key);
        }
    }

    private static void checkFree(int key) {
        if (key == TAG_UB || key == HOST || key == IO) {
            throw Errors.wrong(ErrorClass.ARG, "attribute " + key + " is predefined and cannot be changed");
        }
    }
}
