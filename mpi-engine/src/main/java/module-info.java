/** MPI without an API: what the faces, such as package {@code mpi} of mpiJava, have in common. */
module org.galerna.mpi {
    requires static org.jspecify;
    requires transitive org.galerna.collectives;
    requires transitive org.galerna.device;
    requires transitive org.galerna.link;
    requires org.galerna.memory;

    exports org.galerna.mpi.collective;
    exports org.galerna.mpi.comm;
    exports org.galerna.mpi.datatype;
    exports org.galerna.mpi.group;
    exports org.galerna.mpi.object;
    exports org.galerna.mpi.request;
    exports org.galerna.mpi.session;
    exports org.galerna.mpi.settings;
    exports org.galerna.mpi.topology;
}
