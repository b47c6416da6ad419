import org.galerna.device.DeviceDecorator;
import org.galerna.device.DeviceProvider;
import org.galerna.device.matching.LinkDevices;
import org.galerna.device.recording.MessageEventsDecorator;

/** Tagged messages between ranks. */
module org.galerna.device {
    requires transitive org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    exports org.galerna.device;
    exports org.galerna.device.support;

    uses DeviceDecorator;
    uses DeviceProvider;

    provides DeviceDecorator with
            MessageEventsDecorator;
    provides DeviceProvider with
            LinkDevices;
}
