/**
 * Galerna as one module: MPI programs, ranks started from Java, object messaging, fast sockets, and all links. A program
 * that is a module requires this one.
 */
module org.galerna {
    requires transitive org.galerna.launch;
    requires transitive org.galerna.link.shm;
    requires transitive org.galerna.link.tcp;
    requires transitive org.galerna.link.ofi;
    requires transitive org.galerna.link.verbs;
    requires transitive org.galerna.link.ucx;
    requires transitive org.galerna.device.ucx;
    requires transitive org.galerna.messaging;
    requires transitive org.galerna.mpj;
    requires transitive org.galerna.ranks;
    requires transitive org.galerna.sockets;
}
