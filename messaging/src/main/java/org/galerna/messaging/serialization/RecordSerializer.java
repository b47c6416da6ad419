package org.galerna.messaging.serialization;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A serializer derived from a record: its components in their order. They may be primitives, boxed primitives, strings,
 * enums, records, arrays of primitives or of any of these, and lists of these. What is not primitive may be null, but for
 * the elements of lists and arrays.
 *
 * <p>A component that was added at the end since the message was written is read as zero or null. One that this version
 * does not know any more, or not yet, is left unread. That holds for the record that is a message itself; records within
 * it have to be the same on both sides.
 *
 * <p>The accessors and the constructor are composed once into one method handle each for writing and reading, without
 * boxing in between.
 */
public final class RecordSerializer<R> implements Serializer<R> {
    private final Class<R> type;
    private final MethodHandle writer; // (Object, Exporter) -> void
    private final MethodHandle reader; // (Importer) -> Object

    private RecordSerializer(Class<R> type, MethodHandle writer, MethodHandle reader) {
        this.type = type;
        this.writer = writer;
        this.reader = reader;
    }

    /**
     * The serializer of a record class.
     *
     * @throws IllegalArgumentException if it is no record, or has a component of a class that is none of the above, or if
     *     its package is not open to Galerna
     */
    public static <R> RecordSerializer<R> of(Class<R> type) {
        return new Components().serializer(type);
    }

    static <R> RecordSerializer<R> derive(Class<R> type, Components components) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is no record: write a Serializer for it");
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            java.lang.reflect.RecordComponent[] parts = type.getRecordComponents();
            MethodHandle writer = MethodHandles.empty(MethodType.methodType(void.class, Object.class, Exporter.class));
            MethodHandle reader = lookup.findConstructor(
                    type,
                    MethodType.methodType(
                            void.class,
                            Arrays.stream(parts)
                                    .map(java.lang.reflect.RecordComponent::getType)
                                    .toArray(Class[]::new)));
            // each step is put in front of those that follow it
            for (int each = parts.length - 1; each >= 0; each--) {
                Components.Codec codec = components.codec(parts[each]);
                MethodHandle accessor = lookup.unreflect(parts[each].getAccessor());
                MethodHandle step = MethodHandles.filterArguments(codec.writer(), 1, accessor); // (Exporter, R) -> void
                step = MethodHandles.permuteArguments(
                        step.asType(MethodType.methodType(void.class, Exporter.class, Object.class)),
                        writer.type(),
                        1,
                        0);
                writer = MethodHandles.foldArguments(writer, step);
                reader = MethodHandles.collectArguments(reader, each, unlessOlder(codec.reader()));
            }
            MethodType reading = MethodType.methodType(Object.class, Importer.class);
            reader = reader.asType(reader.type().changeReturnType(Object.class));
            reader = MethodHandles.permuteArguments(reader, reading, new int[parts.length]);
            return new RecordSerializer<>(type, writer, reader);
        } catch (IllegalAccessException closed) {
            throw new IllegalArgumentException(
                    "the package of " + type.getName() + " has to be open to the module org.galerna.messaging", closed);
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Reads a component if there is anything left; otherwise its default. */
    private static MethodHandle unlessOlder(MethodHandle read) {
        return MethodHandles.guardWithTest(Components.HAS_REMAINING, read, MethodHandles.empty(read.type()));
    }

    @Override
    public void write(R value, Exporter out) {
        try {
            writer.invokeExact((Object) value, out);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    @Override
    public R read(Importer in, @Nullable R reused) {
        try {
            return type.cast((Object) reader.invokeExact(in));
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    private RuntimeException unchecked(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            default -> new IllegalStateException(type.getName() + " has thrown " + thrown, thrown);
        };
    }
}
