import org.galerna.link.LinkProvider;
import org.galerna.link.verbs.VerbsLinkProvider;

/** The link over adapters for InfiniBand, RoCE and iWARP. */
module org.galerna.link.verbs {
    requires org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    uses LinkProvider;

    provides LinkProvider with
            VerbsLinkProvider;
}
