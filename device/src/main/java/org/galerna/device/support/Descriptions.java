package org.galerna.device.support;

import org.galerna.device.Device;

/** Calls in words, for reports. */
public final class Descriptions {
    private Descriptions() {}

    /** A receive or a probe, e.g. {@code "receive from rank 2, tag 7"}. */
    public static String receive(String verb, int source, int tag) {
        return verb + " from " + (source == Device.ANY_SOURCE ? "any rank" : "rank " + source) + ", "
                + (tag == Device.ANY_TAG ? "any tag" : "tag " + tag);
    }
}
