package org.galerna.messaging.service;

import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** A request to call a method. */
final class ServiceCall {
    private final @Nullable ServiceMethod method;
    private final @Nullable Object[] arguments;

    /** A call; of no method if this node offers none with the key that has come. */
    ServiceCall(@Nullable ServiceMethod method, @Nullable Object... arguments) {
        this.method = method;
        this.arguments = arguments;
    }

    @Nullable
    ServiceMethod method() {
        return method;
    }

    @Nullable
    Object[] arguments() {
        return arguments;
    }

    /** Finds a method by its key. */
    @FunctionalInterface
    interface Finder {
        /** The method with this key; null if there is none. */
        @Nullable
        ServiceMethod find(long key);
    }

    static Serializer<ServiceCall> serializer(Finder offered) {
        return new Serializer<>() {
            @Override
            public void write(ServiceCall call, Exporter out) {
                ServiceMethod called = call.method;
                if (called == null) {
                    throw new IllegalStateException("a call of no method");
                }
                out.writeLong(called.key());
                called.arguments().write(call.arguments, out);
            }

            @Override
            public ServiceCall read(Importer in, @Nullable ServiceCall reused) {
                ServiceMethod called = offered.find(in.readLong());
                return called == null
                        ? new ServiceCall(null)
                        : new ServiceCall(called, called.arguments().read(in, null));
            }
        };
    }
}
