import org.galerna.link.LinkProvider;
import org.galerna.link.shm.ShmLinkProvider;

/** The link between ranks that are processes on one host. */
module org.galerna.link.shm {
    requires org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    provides LinkProvider with
            ShmLinkProvider;
}
