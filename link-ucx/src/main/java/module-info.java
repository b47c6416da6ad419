import org.galerna.link.LinkProvider;
import org.galerna.link.ucx.UcxLinkProvider;

/** The link over UCX. */
module org.galerna.link.ucx {
    requires org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    uses LinkProvider;

    provides LinkProvider with
            UcxLinkProvider;
}
