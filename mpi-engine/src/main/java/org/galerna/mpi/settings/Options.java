package org.galerna.mpi.settings;

import java.util.Arrays;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.ErrorClass;
import org.galerna.link.settings.Setting;

/**
 * The options of the {@code mpi} package: system properties, read by {@code MPI.Init}.
 *
 * @param device name of the device, or {@code "auto"} for the fastest that the job can use
 * @param serial what may arrive as {@code MPI.OBJECT}
 */
public record Options(String device, SerialOptions serial) {
    /** System property: name of the device. Default {@code auto}. */
    public static final String DEVICE = "galerna.device";

    /**
     * System property: which classes {@code MPI.OBJECT} may bring, as patterns in the syntax of
     * {@link java.io.ObjectInputFilter.Config#createFilter}: {@code com.acme.**} accepts what the default refuses, and
     * {@code !com.acme.**} refuses it. The first pattern that matches decides, and the default where none does: plain
     * values of the JDK and the classes of the application, but for libraries that are known to run code when they are
     * deserialized. {@code !*} at the end leaves nothing to the default. {@code java.lang.reflect.Proxy} stands for
     * dynamic proxies, whose interfaces and handler pass the filter too.
     */
    public static final String SERIAL_FILTER = "galerna.serial.filter";

    /** System property: deepest nesting of objects in a message. Default 1000. */
    public static final String SERIAL_DEPTH = "galerna.serial.depth";

    /** System property: longest array in a message, in elements. Default 268435456. */
    public static final String SERIAL_ARRAY = "galerna.serial.array";

    /** System property: most objects in a message. Default 268435456. */
    public static final String SERIAL_REFERENCES = "galerna.serial.references";

    /** System property: {@code mpjexpress} if main methods are given rank, number of ranks and device in front. */
    public static final String ARGUMENTS = "galerna.arguments";

    private static final int LAUNCHER_ARGUMENTS = 3;

    /** System property: longest message of objects, in bytes. Default 1073741824. */
    public static final String SERIAL_BYTES = "galerna.serial.bytes";

    /**
     * Limits for the objects that are received.
     *
     * @param filter patterns that precede the defaults; may be empty
     */
    public record SerialOptions(String filter, long depth, long array, long references, long bytes) {
        /** The defaults. */
        public static final SerialOptions DEFAULT = new SerialOptions("", 1000, 1 << 28, 1 << 28, 1 << 30);
    }

    /**
     * The defaults, overridden by system properties.
     *
     * @throws DeviceException if one has a value that it cannot have, or a name that none has
     */
    public static Options fromSystemProperties() {
        KnownProperties.complaint(System.getProperties().stringPropertyNames()).ifPresent(complaint -> {
            throw new DeviceException(ErrorClass.ARG, complaint);
        });
        SerialOptions serial = SerialOptions.DEFAULT;
        return new Options(
                System.getProperty(DEVICE, Devices.AUTO),
                new SerialOptions(
                        System.getProperty(SERIAL_FILTER, serial.filter()),
                        limit(SERIAL_DEPTH, serial.depth()),
                        limit(SERIAL_ARRAY, serial.array()),
                        limit(SERIAL_REFERENCES, serial.references()),
                        limit(SERIAL_BYTES, serial.bytes())));
    }

    /** The arguments of the program without those that a launcher has put in front, if it has. */
    public static String[] withoutLauncherArguments(String[] arguments) {
        boolean inFront = "mpjexpress".equals(System.getProperty(ARGUMENTS)) && arguments.length >= LAUNCHER_ARGUMENTS;
        return inFront ? Arrays.copyOfRange(arguments, LAUNCHER_ARGUMENTS, arguments.length) : arguments;
    }

    private static long limit(String property, long otherwise) {
        try {
            return Setting.count(property, "a number", otherwise, 0, Long.MAX_VALUE, "")
                    .get();
        } catch (IllegalArgumentException wrong) {
            throw new DeviceException(ErrorClass.ARG, "system property " + wrong.getMessage(), wrong);
        }
    }
}
