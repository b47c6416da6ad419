/** Metrics of object messaging for Micrometer. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer's archive names its module in the manifest
module org.galerna.micrometer {
    requires transitive org.galerna.messaging;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports org.galerna.micrometer;
}
