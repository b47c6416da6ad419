package org.galerna.mpi.object;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.settings.Options;
import org.galerna.mpi.settings.Options.SerialOptions;
import org.jspecify.annotations.Nullable;

/**
 * Objects to bytes and back, by Java serialization: what {@code MPI.OBJECT} sends. Classes are looked up in
 * {@link ReceiverLoaders}, and pass a {@link SerialFilter}. Safe for use by several threads.
 */
public final class ObjectCodec {
    private static final InvocationHandler NEVER_CALLED = (proxy, method, arguments) -> null;

    private final ClassLoader loader;
    private final SerialOptions limits;
    private final @Nullable ObjectInputFilter patterns;

    /**
     * A codec for one rank.
     *
     * @param loader where the classes of received objects come from that the receiver's own loaders do not have
     * @throws DeviceException if the patterns of the options are malformed
     */
    public ObjectCodec(ClassLoader loader, SerialOptions limits) {
        this.loader = loader;
        this.limits = limits;
        try {
            this.patterns = limits.filter().isBlank()
                    ? null
                    : ObjectInputFilter.Config.createFilter(limits.filter().trim());
        } catch (IllegalArgumentException malformed) {
            throw new DeviceException(
                    ErrorClass.ARG,
                    "system property " + Options.SERIAL_FILTER + " is not a list of patterns: "
                            + malformed.getMessage(),
                    malformed);
        }
    }

    /** A codec for the thread that calls: classes come from its context class loader. */
    public static ObjectCodec ofProgram() {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        return new ObjectCodec(
                ofThread == null ? ObjectCodec.class.getClassLoader() : ofThread,
                Options.fromSystemProperties().serial());
    }

    /** Serializes objects, for {@link #fromBytes}. */
    public byte[] toBytes(@Nullable Object[] objects) {
        EncodedObjects encoded = encode(objects, 0, objects.length);
        return Arrays.copyOf(encoded.bytes(), encoded.length());
    }

    /** Brings {@code count} objects back that {@link #toBytes} has serialized. */
    public @Nullable Object[] fromBytes(byte[] bytes, int count) {
        return decode(bytes, bytes.length, count, loaders());
    }

    /** Where the classes of objects come from that the calling class starts to receive. */
    ReceiverLoaders loaders() {
        return ReceiverLoaders.ofCaller(loader);
    }

    SerialOptions limits() {
        return limits;
    }

    /** Serializes {@code count} objects from {@code offset} on, with room for a header before them. */
    EncodedObjects encode(@Nullable Object[] objects, int offset, int count) {
        ExposedStream bytes = new ExposedStream();
        int index = offset;
        try {
            bytes.skipHeader();
            try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
                for (; index < offset + count; index++) {
                    stream.writeObject(objects[index]);
                }
            }
        } catch (NotSerializableException unserializable) {
            throw new DeviceException(
                    ErrorClass.TYPE,
                    "the object at index " + index + " cannot be sent: class " + unserializable.getMessage()
                            + " does not implement java.io.Serializable",
                    unserializable);
        } catch (IOException failed) {
            throw new DeviceException(
                    ErrorClass.OTHER, "the object at index " + index + " cannot be serialized: " + failed, failed);
        } catch (StackOverflowError tooDeep) {
            throw new DeviceException(
                    ErrorClass.OTHER,
                    "the object at index " + index + " is nested too deeply to be serialized on this thread's stack",
                    tooDeep);
        }
        return new EncodedObjects(bytes.array(), bytes.size(), count);
    }

    /**
     * Reads objects back.
     *
     * @param length where the message ends in {@code message}
     * @param count number of objects to read, at most the number in the message
     * @param loaders where their classes come from
     */
    @Nullable
    Object[] decode(byte[] message, int length, int count, ReceiverLoaders loaders) {
        if (length > limits.bytes()) {
            throw new DeviceException(
                    ErrorClass.OTHER,
                    "a message of objects has " + length + " bytes, more than the limit of " + limits.bytes()
                            + " (system property " + Options.SERIAL_BYTES + ")");
        }
        int header = ObjectHeaderLayout.LENGTH_OF_HEADER;
        SerialFilter filter = new SerialFilter(limits, patterns, length);
        @Nullable Object[] objects = new Object[count];
        try (ObjectInputStream stream =
                new RankInputStream(new ByteArrayInputStream(message, header, length - header), filter, loaders)) {
            for (int i = 0; i < count; i++) {
                objects[i] = stream.readObject();
            }
            return objects;
        } catch (ClassNotFoundException unknown) {
            throw new DeviceException(
                    ErrorClass.TYPE,
                    "class " + unknown.getMessage() + " of a received object is not on the class path of this rank, nor"
                            + " known to the class loader of the receiving class or of its thread's context",
                    unknown);
        } catch (IOException | RuntimeException | InternalError | LinkageError failed) {
            // the JDK raises errors too where a stream is damaged or a class cannot be initialized
            String refusal = filter.refusal();
            throw new DeviceException(
                    refusal != null ? ErrorClass.TYPE : ErrorClass.OTHER,
                    refusal != null ? refusal : "received objects cannot be deserialized: " + failed,
                    failed);
        } catch (StackOverflowError tooDeep) {
            throw new DeviceException(
                    ErrorClass.OTHER,
                    "received objects are nested too deeply for this thread's stack; a lower limit in the system"
                            + " property " + Options.SERIAL_DEPTH + " refuses them earlier",
                    tooDeep);
        }
    }

    /** Gives access to the bytes without copying them. */
    private static final class ExposedStream extends ByteArrayOutputStream {
        ExposedStream() {
            super(512);
        }

        void skipHeader() {
            count = ObjectHeaderLayout.LENGTH_OF_HEADER;
        }

        byte[] array() {
            return buf;
        }
    }

    /** Looks classes up where the receiver has them. */
    private static final class RankInputStream extends ObjectInputStream {
        private final SerialFilter filter;
        private final ReceiverLoaders loaders;

        RankInputStream(InputStream bytes, SerialFilter filter, ReceiverLoaders loaders) throws IOException {
            super(bytes);
            this.filter = filter;
            this.loaders = loaders;
            setObjectInputFilter(filter);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            Optional<Class<?>> found = loaders.find(description.getName());
            // the JDK knows the names of primitive types
            return found.isPresent() ? found.get() : super.resolveClass(description);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
            if (!filter.allowsProxies()) {
                throw new InvalidClassException(filter.refuseProxy());
            }
            List<Class<?>> interfaces = new ArrayList<>();
            for (String name : names) {
                interfaces.add(loaders.find(name).orElseThrow(() -> new ClassNotFoundException(name)));
            }
            ClassLoader loader = loaders.ofProxy(interfaces)
                    .orElseThrow(() -> new ClassNotFoundException("(a proxy of) " + String.join(", ", names)));
            try {
                // the class is all that is wanted; this object is never used
                return Proxy.newProxyInstance(loader, interfaces.toArray(Class<?>[]::new), NEVER_CALLED)
                        .getClass();
            } catch (IllegalArgumentException impossible) {
                throw new ClassNotFoundException("(a proxy of) " + String.join(", ", names), impossible);
            }
        }
    }
}
