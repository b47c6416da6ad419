package org.galerna.device.support;

import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceLimits;

/** Whether the arguments of a call make sense; for any thread. */
public final class Arguments {
    private final Membership membership;
    private final int largestTag;
    private final int largestContext;

    /** For the calls of a device with these limits. */
    public Arguments(Membership membership, DeviceLimits limits) {
        this.membership = membership;
        this.largestTag = limits.largestTag();
        this.largestContext = limits.largestContext();
    }

    /**
     * Checks the address of a send.
     *
     * @throws IllegalArgumentException if there is no such rank, tag or context
     * @throws DeviceException if this rank has left the job
     */
    public void checkSend(int destination, int tag, int context) {
        // unsigned: a negative one is larger than any that is allowed
        if (Integer.compareUnsigned(tag, largestTag) > 0 || Integer.compareUnsigned(context, largestContext) > 0) {
            throw wrong("send", tag, context);
        }
        checkRank(destination);
    }

    /**
     * Checks the address of a receive or a probe, which may have wildcards.
     *
     * @throws IllegalArgumentException if there is no such rank, tag or context
     * @throws DeviceException if this rank has left the job
     */
    public void checkReceive(int source, int tag, int context) {
        if ((tag != Device.ANY_TAG && Integer.compareUnsigned(tag, largestTag) > 0)
                || Integer.compareUnsigned(context, largestContext) > 0) {
            throw wrong("receive", tag, context);
        }
        if (source == Device.ANY_SOURCE) {
            membership.checkOpen();
        } else {
            checkRank(source);
        }
    }

    /**
     * Checks the rank of a peer.
     *
     * @throws IllegalArgumentException if there is no such rank
     * @throws DeviceException if this rank has left the job
     */
    public void checkRank(int peer) {
        if (Integer.compareUnsigned(peer, membership.size()) >= 0) {
            throw new IllegalArgumentException(
                    "there is no rank " + peer + ", ranks are 0 to " + (membership.size() - 1));
        }
        membership.checkOpen();
    }

    private IllegalArgumentException wrong(String call, int tag, int context) {
        return new IllegalArgumentException("no tag or context of a " + call + ": " + tag + ", " + context
                + "; tags are 0 to " + largestTag + ", contexts 0 to " + largestContext);
    }
}
