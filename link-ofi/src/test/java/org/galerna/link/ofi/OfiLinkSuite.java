package org.galerna.link.ofi;

import org.galerna.testkit.link.LinkContract;

/** The contract of links, where there is an adapter: {@link OfiAdapterTest} runs it. */
class OfiLinkSuite extends LinkContract implements OfiSubject {
    @Override
    public String providerName() {
        return "verbs;ofi_rxm";
    }
}
