package org.galerna.link.tcp;

import org.galerna.link.process.PeerTimeout;
import org.galerna.link.tcp.wire.Security;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * While a class of tests runs, links over TCP use TLS. Keys cost computing: where many ranks of one JVM connect to each
 * other at once, they may take longer than processes on cores of their own.
 */
final class TlsProperties implements BeforeAllCallback, AfterAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        System.setProperty(Security.PROPERTY, "true");
        System.setProperty(PeerTimeout.PROPERTY, "15");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        System.clearProperty(Security.PROPERTY);
        System.clearProperty(PeerTimeout.PROPERTY);
    }
}
