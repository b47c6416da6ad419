package org.galerna.device.ucx;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.DeviceProvider;
import org.galerna.link.Reach;
import org.galerna.link.Wireup;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxWorker;

/** Provides the device over UCX under two names: its own, and that of the papers, whose library MXM has become UCX. */
public final class UcxDeviceProvider implements DeviceProvider {
    /** Name of the device. */
    public static final String NAME = "ucxdev";

    /** The papers' name of a device like it. */
    public static final String OLD_NAME = "mxmdev";

    private final String name;

    /** For {@link java.util.ServiceLoader}. */
    public UcxDeviceProvider() {
        this(NAME);
    }

    private UcxDeviceProvider(String name) {
        this.name = name;
    }

    @Override
    public Stream<DeviceProvider> variants() {
        return Stream.of(this, new UcxDeviceProvider(OLD_NAME));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Reach reach() {
        return Reach.NETWORK;
    }

    @Override
    public String needs() {
        return "UCX 1.13 or later";
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return UcxWorker.unavailable();
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(UcxLibrary.PROPERTY, "path of libucp, if it is not the system's");
    }

    @Override
    public Device open(Wireup wireup, Optional<DeviceOptions> options) {
        return UcxDevice.join(name, wireup, options.orElseGet(DeviceOptions::fromSystemProperties));
    }
}
