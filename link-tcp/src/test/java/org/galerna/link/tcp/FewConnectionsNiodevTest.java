package org.galerna.link.tcp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The whole contract of devices, with connections that are paused whenever they carry nothing. */
@Tag("slow")
@ExtendWith(FewConnections.class)
class FewConnectionsNiodevTest extends NiodevTest {}
