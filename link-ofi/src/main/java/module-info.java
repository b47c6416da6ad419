import org.galerna.link.LinkProvider;
import org.galerna.link.ofi.OfiLinkProvider;

/** The link over libfabric. */
module org.galerna.link.ofi {
    requires org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    uses LinkProvider;

    provides LinkProvider with
            OfiLinkProvider;
}
