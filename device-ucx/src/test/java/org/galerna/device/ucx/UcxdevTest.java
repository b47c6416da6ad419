package org.galerna.device.ucx;

import org.galerna.testkit.device.DeviceContract;
import org.junit.jupiter.api.Tag;

/** The device over UCX keeps what every device keeps. */
@Tag("slow") // the fast tier has a part of it
class UcxdevTest extends DeviceContract implements UcxdevSubject {}
