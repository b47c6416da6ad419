/** Collective operations over a device: one class per algorithm, selection as data. */
module org.galerna.collectives {
    requires static org.jspecify;
    requires transitive org.galerna.device;
    requires org.galerna.memory;

    exports org.galerna.collectives;
    exports org.galerna.collectives.algorithm;
    exports org.galerna.collectives.buffer;
    exports org.galerna.collectives.reduction;
    exports org.galerna.collectives.selection;
    exports org.galerna.collectives.team;
}
