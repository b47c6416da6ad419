import org.galerna.link.LinkProvider;
import org.galerna.link.settings.SettingNames;
import org.galerna.link.threads.ThreadsLinkProvider;
import org.galerna.link.wireup.WireupProvider;

/** The link layer: frames and regions between two ranks, wire-up, and the threads link. */
module org.galerna.link {
    requires transitive org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static jdk.jfr;
    requires static org.jspecify;

    exports org.galerna.link;
    exports org.galerna.link.counters;
    exports org.galerna.link.events;
    exports org.galerna.link.process;
    exports org.galerna.link.settings;
    exports org.galerna.link.wireup;
    exports org.galerna.link.hybrid to
            org.galerna.device,
            org.galerna.messaging;
    exports org.galerna.link.support to
            org.galerna.link.ofi,
            org.galerna.link.shm,
            org.galerna.link.tcp,
            org.galerna.link.ucx,
            org.galerna.link.verbs;
    exports org.galerna.link.transfer to
            org.galerna.link.ofi,
            org.galerna.link.verbs;
    exports org.galerna.link.handshake to
            org.galerna.launch,
            org.galerna.link.tcp,
            org.galerna.messaging,
            org.galerna.sockets;
    exports org.galerna.link.pair to
            org.galerna.messaging,
            org.galerna.sockets;

    uses org.galerna.link.process.ClassFileRewriter;
    uses LinkProvider;
    uses SettingNames;
    uses WireupProvider;

    provides LinkProvider with
            ThreadsLinkProvider;
}
