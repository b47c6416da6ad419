package org.galerna.link.ofi;

import org.galerna.testkit.device.DeviceContract;
import org.junit.jupiter.api.Tag;

/** The device over libfabric keeps what every device keeps. */
@Tag("slow") // the fast tier has a part of it
class OfidevTest extends DeviceContract implements OfidevSubject {}
