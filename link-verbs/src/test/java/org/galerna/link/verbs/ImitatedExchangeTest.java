package org.galerna.link.verbs;

/** The contract of links as in {@link ImitatedLinkTest}, without RDMA CM. */
class ImitatedExchangeTest extends ImitatedLinkTest {
    @Override
    String connect() {
        return "exchange";
    }
}
