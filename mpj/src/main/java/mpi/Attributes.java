package mpi;

import java.util.HashMap;
import java.util.Map;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/** What is kept at a communicator under integer keys. */
final class Attributes {
    static final int TAG_UB = 1;
    static final int HOST = 2;
    static final int IO = 3;
    static final int WTIME_IS_GLOBAL = 4;

    /** Keys from here on are those of {@link MPI#Keyval_create}. */
    static final int FIRST_CREATED = 1 << 20;

    private @Nullable Map<Integer, Object> values;

    @Nullable
    synchronized Object get(int key, Session session) {
        return switch (key) {
            case TAG_UB -> session.largestTag();
            case HOST -> Constants.PROC_NULL;
            case IO -> session.wireup().rank();
            // the clock counts from the start of the host
            case WTIME_IS_GLOBAL -> session.device().hosts().number() == 1 ? 1 : 0;
            default -> values == null ? null : values.get(key);
        };
    }

    synchronized void put(int key, @Nullable Object value, Comm comm) {
        checkFree("Comm.Attr_put", key, comm);
        if (value == null) {
            String help = "the value of attribute " + key + " is null; use Attr_delete";
            throw Errors.failed(comm, "Comm.Attr_put", Errors.wrong(ErrorClass.ARG, help));
        }
        if (values == null) {
            values = new HashMap<>();
        }
        values.put(key, value);
    }

    synchronized void delete(int key, Comm comm) {
        checkFree("Comm.Attr_delete", key, comm);
        if (values != null) {
            values.remove(key);
        }
    }

    /** Takes over what a duplicate of a communicator is to have. */
    void copyFrom(Attributes original, Comm comm) {
        Map<Integer, Object> copied = original.inherited(comm.environment());
        synchronized (this) {
            values = copied;
        }
    }

    private synchronized @Nullable Map<Integer, Object> inherited(Environment environment) {
        if (values == null) {
            return null;
        }
        Map<Integer, Object> copied = new HashMap<>(values);
        copied.keySet().removeIf(key -> !environment.isInherited(key));
        return copied;
    }

    private static void checkFree(String call, int key, Comm comm) {
        if (key >= TAG_UB && key <= WTIME_IS_GLOBAL) {
            String reason = "attribute " + key + " is predefined and cannot be changed";
            throw Errors.failed(comm, call, Errors.wrong(ErrorClass.ARG, reason));
        }
        if (key >= FIRST_CREATED && !comm.environment().hasKey(key)) {
            throw Errors.failed(comm, call, noKey(key));
        }
    }

    static DeviceException noKey(int key) {
        return Errors.wrong(ErrorClass.ARG, "there is no attribute key " + key + ", or it has been freed");
    }
}
