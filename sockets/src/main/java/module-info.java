/** Sockets that take shared memory when the peer is on the same host, and an adapter for RDMA when it is on another one. */
module org.galerna.sockets {
    requires java.instrument;
    requires java.management;
    requires jdk.jfr;
    requires jdk.net;
    requires org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    exports org.galerna.sockets;
}
