/** The mpiJava 1.2 API over the device and the collectives. */
module org.galerna.mpj {
    requires static org.jspecify;
    requires org.galerna.collectives;
    requires transitive org.galerna.device;
    requires transitive org.galerna.link;
    requires org.galerna.memory;

    exports mpi;
    exports org.galerna.mpj to
            org.galerna.cli;
    exports mpjbuf;
    exports mpjdev;
    exports xdev;
}
