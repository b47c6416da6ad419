import org.galerna.link.LinkProvider;
import org.galerna.link.tcp.TcpBlockingLinkProvider;
import org.galerna.link.tcp.TcpLinkProvider;
import org.galerna.link.tcp.UnixLinkProvider;

/** The link over sockets: TCP with and without blocking, and UNIX-domain sockets. */
module org.galerna.link.tcp {
    requires transitive org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    provides LinkProvider with
            TcpLinkProvider,
            TcpBlockingLinkProvider,
            UnixLinkProvider;
}
