/** Running ranks: as threads with class loaders of their own, later as processes. */
module org.galerna.launch {
    requires static org.jspecify;
    requires java.management;
    requires transitive org.galerna.link;

    exports org.galerna.launch;
    exports org.galerna.launch.report;
}
