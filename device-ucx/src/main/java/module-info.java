import org.galerna.device.DeviceProvider;
import org.galerna.device.ucx.UcxDeviceProvider;

/** The device over UCX, whose matching is UCX's own. */
module org.galerna.device.ucx {
    requires org.galerna.device;
    requires org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    provides DeviceProvider with
            UcxDeviceProvider;
}
