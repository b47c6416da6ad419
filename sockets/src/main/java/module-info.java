import org.galerna.link.settings.SettingNames;
import org.galerna.sockets.settings.SocketSettingNames;

/** Sockets that take shared memory when the peer is on the same host, and an adapter for RDMA when it is on another one. */
module org.galerna.sockets {
    requires java.instrument;
    requires static java.management; // a runtime image may be without, as without the next one
    requires static jdk.jfr;
    requires org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    exports org.galerna.sockets;

    provides SettingNames with
            SocketSettingNames;
}
