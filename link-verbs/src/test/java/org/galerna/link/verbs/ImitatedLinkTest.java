package org.galerna.link.verbs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The contract of links with the {@link Imitation} of an adapter: what must hold whatever adapter there is. */
@Tag("slow")
class ImitatedLinkTest extends VerbsLinkSuite {
    /** How queue pairs are connected. */
    String connect() {
        return "rdmacm";
    }

    @BeforeEach
    void load() {
        Imitation.load();
        System.setProperty(Imitation.CONNECT, connect());
    }

    @AfterEach
    void unload() {
        System.clearProperty(Imitation.CONNECT);
    }
}
