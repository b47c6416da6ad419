/** The mpiJava 1.2 API, a face of the engine. */
module org.galerna.mpj {
    requires static org.jspecify;
    requires org.galerna.mpi;
    requires org.galerna.collectives;
    requires transitive org.galerna.device;
    requires transitive org.galerna.link;
    requires org.galerna.memory;

    exports mpi;
    exports mpjbuf;
    exports mpjdev;
    exports xdev;
}
