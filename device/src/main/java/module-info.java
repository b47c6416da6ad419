import org.galerna.device.DeviceProvider;
import org.galerna.device.matching.LinkDevices;

/** Tagged messages between ranks. */
module org.galerna.device {
    requires transitive org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    exports org.galerna.device;
    exports org.galerna.device.support;

    uses org.galerna.device.DeviceDecorator;
    uses DeviceProvider;

    provides DeviceProvider with
            LinkDevices;
}
