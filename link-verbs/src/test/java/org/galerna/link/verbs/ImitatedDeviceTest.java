package org.galerna.link.verbs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The contract of devices with the {@link Imitation} of an adapter: what must hold whatever adapter there is. */
@Tag("slow")
class ImitatedDeviceTest extends IbvdevSuite {
    @BeforeEach
    void load() {
        Imitation.load();
        System.setProperty(Imitation.CONNECT, "exchange");
    }

    @AfterEach
    void unload() {
        System.clearProperty(Imitation.CONNECT);
    }
}
