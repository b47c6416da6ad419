package org.galerna.link.ucx;

import org.galerna.testkit.link.LinkContract;
import org.junit.jupiter.api.Tag;

/** The link over UCX keeps what every link keeps. */
@Tag("slow")
class UcxLinkTest extends LinkContract implements UcxLinkSubject {}
