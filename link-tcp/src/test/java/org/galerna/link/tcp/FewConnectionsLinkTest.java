package org.galerna.link.tcp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The whole contract of links, with connections that are paused whenever they carry nothing. */
@Tag("slow")
@ExtendWith(FewConnections.class)
class FewConnectionsLinkTest extends TcpLinkTest {}
