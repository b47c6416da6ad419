import org.galerna.link.LinkProvider;
import org.galerna.link.threads.ThreadsLinkProvider;

/** The link layer: frames and regions between two ranks, wire-up, and the threads link. */
module org.galerna.link {
    requires transitive org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    exports org.galerna.link;

    uses LinkProvider;

    provides LinkProvider with
            ThreadsLinkProvider;
}
