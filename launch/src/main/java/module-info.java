/** Running ranks: as threads with class loaders of their own, later as processes. */
module org.galerna.launch {
    requires static org.jspecify;
    requires java.management;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires transitive org.galerna.link;

    exports org.galerna.launch;
    exports org.galerna.launch.report;
}
