package org.galerna.link.ucx;

import org.galerna.testkit.link.LinkContract;

/** The contract of links, where there is an adapter: {@link UcxLinkAdapterTest} runs it. */
class UcxLinkSuite extends LinkContract implements UcxLinkSubject {}
