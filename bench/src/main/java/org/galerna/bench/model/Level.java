package org.galerna.bench.model;

import java.util.Locale;

/** How far two ranks are from each other. */
public enum Level {
    /** On one socket of a host. */
    SOCKET,
    /** On two sockets of a host. */
    HOST,
    /** On two hosts. */
    NETWORK;

    /** Name in files of parameters. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
