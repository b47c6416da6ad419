package org.galerna.device.support;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;

/** Which ranks can still send a message in a context. Any thread may ask; see {@link Membership}. */
public final class Senders {
    /** Who is left of those that a receive may get its message from. */
    public enum Left {
        /** A rank that is there. */
        OTHERS,
        /** This rank itself: all others have left in good order. */
        ITSELF,
        /** Nobody: all have left in good order. */
        NOBODY,
        /** At most this rank itself: the others are gone, and not all of them in good order. */
        DEAD
    }

    private final Membership membership;
    private final Map<Integer, RankList> groups = new ConcurrentHashMap<>();

    /** In every context all ranks send. */
    public Senders(Membership membership) {
        this.membership = membership;
    }

    /** In this context only these ranks send, until {@link #forget}. */
    public void define(int context, RankList ranks) {
        groups.put(context, ranks);
    }

    /** Takes {@link #define} back. */
    public void forget(int context) {
        groups.remove(context);
    }

    /** Who can still send. A context in which this rank alone sends is not one that others have left. */
    public Left left(int source, int context) {
        if (source != Device.ANY_SOURCE) {
            return membership.isThere(source) ? Left.OTHERS : membership.hasDied(source) ? Left.DEAD : Left.NOBODY;
        }
        RankList group = groups.get(context);
        boolean itself = false;
        boolean gone = false;
        boolean died = false;
        for (int each = 0; each < (group == null ? membership.size() : group.size()); each++) {
            int sender = group == null ? each : group.get(each);
            if (sender == membership.rank()) {
                itself = true;
            } else if (membership.isThere(sender)) {
                return Left.OTHERS;
            } else {
                gone = true;
                died |= membership.hasDied(sender);
            }
        }
        if (died) {
            return Left.DEAD;
        }
        return !gone ? Left.OTHERS : itself ? Left.ITSELF : Left.NOBODY;
    }

    /** The failure of a receive or probe that nobody who is left could serve. */
    public DeviceException unreachable(String operation, int source, int context) {
        if (source != Device.ANY_SOURCE) {
            return membership.lost(operation, source);
        }
        RankList group = groups.get(context);
        return new DeviceException(
                ErrorClass.PROC_FAILED,
                "rank " + membership.rank() + ": " + operation + " cannot complete, because "
                        + (group == null || group.size() == membership.size()
                                ? "all other ranks are gone"
                                : "all ranks that it can come from are gone"));
    }

    /**
     * Whether no message can come from there any more; of this rank itself, only if it is about to sleep.
     *
     * @param others that may send to this rank while one of its threads waits
     */
    public boolean nobodySends(int source, int context, boolean alone, OtherThreads others, ProgressLoop progress) {
        if (membership.isComplete()) {
            return false;
        }
        return switch (left(source, context)) {
            case OTHERS -> false;
            case ITSELF -> alone && !others.mayAct() && !progress.make();
            case NOBODY, DEAD -> true;
        };
    }
}
