package org.galerna.messaging.serialization;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A serializer derived from a record: its components in their order. They may be of these types, within each other too:
 *
 * <ul>
 *   <li>primitives, their boxes, {@code String}, enums, {@code UUID}, {@code URI}, {@code BigInteger}, {@code BigDecimal}
 *   <li>the classes of {@code java.time}: {@code Instant}, {@code Duration}, {@code Period}, {@code LocalDate}, {@code
 *       LocalTime}, {@code LocalDateTime}, {@code OffsetTime}, {@code OffsetDateTime}, {@code ZonedDateTime}, {@code ZoneId},
 *       {@code ZoneOffset}, {@code Year}, {@code YearMonth}, {@code MonthDay}
 *   <li>records, with type arguments too, and sealed interfaces and classes whose permitted classes are records, enums or
 *       sealed
 *   <li>arrays of any depth, {@code Collection}, {@code List}, {@code Set}, {@code Map} and the {@code Sequenced} ones,
 *       {@code Optional}, {@code OptionalInt}, {@code OptionalLong}, {@code OptionalDouble}
 *   <li>{@code ByteBuffer}: the bytes from its position to its limit. It is read as a buffer on the heap, big-endian
 *   <li>classes for which the program gives {@link Serializers}
 * </ul>
 *
 * <p>What is not primitive may be null, elements too. Collections that are read can be changed; sets and maps keep the order
 * in which they were written. An object that contains itself is refused where it is written.
 *
 * <p>A component that was added at the end since the message was written is read as zero or null. One that this version
 * does not know any more, or not yet, is left unread. In a record within another one components may be added at the end,
 * too, but receivers need the newer version first: an older one refuses it, by name. Constants of enums and permitted classes
 * of sealed types may be added at the end. Everything else that changes needs a new number of the message's type: the order
 * and the types of components have to be the same on both sides.
 *
 * <p>The accessors and the constructor are composed once into one method handle each for writing and reading, without
 * boxing in between.
 */
public final class RecordSerializer<R> implements Serializer<R> {
    private final Class<R> type;
    private final Serializers own;
    private final MethodHandle writer; // (Object, Exporter) -> void
    private final MethodHandle reader; // (Importer) -> Object, whatever is missing at the end
    private final MethodHandle whole; // (Importer) -> Object
    private final MethodHandle constructor; // (Object[]) -> Object
    private final List<MethodHandle> parts; // (Importer) -> Object
    private final @Nullable Object[] missing; // what each component is that was not written

    private RecordSerializer(
            Class<R> type,
            Serializers own,
            MethodHandle writer,
            MethodHandle reader,
            MethodHandle whole,
            MethodHandle constructor,
            List<MethodHandle> parts,
            @Nullable Object... missing) {
        this.type = type;
        this.own = own;
        this.writer = writer;
        this.reader = reader;
        this.whole = whole;
        this.constructor = constructor;
        this.parts = parts;
        this.missing = missing;
    }

    /**
     * The serializer of a record class.
     *
     * @throws IllegalArgumentException if it is no record, or has a component of a class that is none of the above, or if
     *     its package is not open to Galerna
     */
    public static <R> RecordSerializer<R> of(Class<R> type) {
        return of(type, Serializers.NONE);
    }

    /**
     * The serializer of a record class.
     *
     * @param own for components of classes that cannot be derived
     * @throws IllegalArgumentException as {@link #of(Class)}
     */
    public static <R> RecordSerializer<R> of(Class<R> type, Serializers own) {
        return new Components(own).serializer(type);
    }

    static <R> RecordSerializer<R> derive(Class<R> type, ComponentType self, Components components) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is no record: "
                    + (type.isSealed()
                            ? "make each of its records a message type, or put it into a record as a component"
                            : "write a Serializer for it"));
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            RecordComponent[] declared = type.getRecordComponents();
            MethodHandle constructor = lookup.findConstructor(
                    type,
                    MethodType.methodType(
                            void.class,
                            Arrays.stream(declared)
                                    .map(RecordComponent::getType)
                                    .toArray(Class[]::new)));
            MethodHandle writer = MethodHandles.empty(MethodType.methodType(void.class, Object.class, Exporter.class));
            MethodHandle reader = constructor;
            MethodHandle whole = constructor;
            List<MethodHandle> parts = new ArrayList<>();
            // each step is put in front of those that follow it
            for (int each = declared.length - 1; each >= 0; each--) {
                Components.Handles handles = components.handles(declared[each], self);
                MethodHandle accessor = lookup.unreflect(declared[each].getAccessor());
                MethodHandle step =
                        MethodHandles.filterArguments(handles.writer(), 1, accessor); // (Exporter, R) -> void
                step = MethodHandles.permuteArguments(
                        step.asType(MethodType.methodType(void.class, Exporter.class, Object.class)),
                        writer.type(),
                        1,
                        0);
                writer = MethodHandles.foldArguments(writer, step);
                reader = MethodHandles.collectArguments(reader, each, unlessOlder(handles.reader()));
                whole = MethodHandles.collectArguments(whole, each, handles.reader());
                parts.add(handles.reader().asType(MethodType.methodType(Object.class, Importer.class)));
            }
            return new RecordSerializer<>(
                    type,
                    components.own(),
                    writer,
                    ofOneImporter(reader),
                    ofOneImporter(whole),
                    constructor
                            .asType(constructor.type().changeReturnType(Object.class))
                            .asSpreader(Object[].class, declared.length),
                    List.copyOf(parts.reversed()),
                    Arrays.stream(declared).map(each -> zero(each.getType())).toArray());
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

    private static MethodHandle ofOneImporter(MethodHandle read) {
        MethodHandle object = read.asType(read.type().changeReturnType(Object.class));
        return MethodHandles.permuteArguments(
                object,
                MethodType.methodType(Object.class, Importer.class),
                new int[read.type().parameterCount()]);
    }

    /** How its records lie in their bytes. */
    public TypeLayout layout() {
        return TypeLayout.of(type, own);
    }

    int components() {
        return parts.size();
    }

    String name() {
        return type.getName();
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

    /** Reads all components. */
    Object readWhole(Importer in) {
        try {
            return whole.invokeExact(in);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    /** Reads so many components; the others are zero or null. */
    Object readFirst(Importer in, int written) {
        try {
            @Nullable Object[] values = missing.clone();
            for (int each = 0; each < Math.min(written, values.length); each++) {
                values[each] = (Object) parts.get(each).invokeExact(in);
            }
            return constructor.invokeExact(values);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    private static @Nullable Object zero(Class<?> component) {
        return component.isPrimitive() ? Array.get(Array.newInstance(component, 1), 0) : null;
    }

    private RuntimeException unchecked(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            default -> new IllegalStateException(type.getName() + " has thrown " + thrown, thrown);
        };
    }
}
