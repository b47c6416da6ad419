package org.galerna.link.tcp;

import org.galerna.link.tcp.connecting.ConnectionLimit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** While a class of tests runs, ranks keep as few connections as can be, and pause the others. */
final class FewConnections implements BeforeAllCallback, AfterAllCallback {
    static final int MOST = 2;

    /** Connections that a rank keeps then: those by which ranks watch each other, and one more. */
    static final int KEPT = 3;

    @Override
    public void beforeAll(ExtensionContext context) {
        System.setProperty(ConnectionLimit.PROPERTY, String.valueOf(MOST));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        System.clearProperty(ConnectionLimit.PROPERTY);
    }
}
