package org.galerna.device;

/** Calls in words, for reports. */
final class Descriptions {
    private Descriptions() {}

    static String receive(String verb, int source, int tag) {
        return verb + " from " + (source == Device.ANY_SOURCE ? "any rank" : "rank " + source) + ", "
                + (tag == Device.ANY_TAG ? "any tag" : "tag " + tag);
    }
}
