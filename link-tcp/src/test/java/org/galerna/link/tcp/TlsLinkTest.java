package org.galerna.link.tcp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The whole contract of links, over TLS. */
@Tag("slow")
@ExtendWith(TlsProperties.class)
class TlsLinkTest extends TcpLinkTest {}
