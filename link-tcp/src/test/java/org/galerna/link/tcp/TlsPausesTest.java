package org.galerna.link.tcp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections that are paused and opened again, over TLS. */
@Tag("slow")
@ExtendWith(TlsProperties.class)
class TlsPausesTest extends PausesTest {}
