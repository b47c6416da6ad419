/** Tagged messages between ranks. */
module org.galerna.device {
    requires transitive org.galerna.link;
    requires org.galerna.memory;
    requires static org.jspecify;

    exports org.galerna.device;
}
