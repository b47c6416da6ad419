/** Object messaging: typed messages and requests between nodes, from any thread. */
module org.galerna.messaging {
    requires transitive org.galerna.link;
    requires static java.management; // a runtime image may be without, as without the next one
    requires static jdk.jfr;
    requires org.galerna.memory;
    requires static org.jspecify;

    exports org.galerna.messaging;
    exports org.galerna.messaging.serialization;

    uses org.galerna.link.LinkProvider;
}
