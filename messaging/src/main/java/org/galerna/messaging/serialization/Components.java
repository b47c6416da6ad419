package org.galerna.messaging.serialization;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** How the components of records are written and read. One object derives one record and those within it. */
final class Components {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    static final MethodHandle HAS_REMAINING =
            find(Importer.class, "hasRemaining", MethodType.methodType(boolean.class));

    private static final MethodHandle WRITE_NULLABLE =
            find(Exporter.class, "writeNullable", MethodType.methodType(void.class, Object.class, Serializer.class));
    private static final MethodHandle READ_NULLABLE =
            find(Importer.class, "readNullable", MethodType.methodType(Object.class, Serializer.class));
    private static final MethodHandle WRITE_LIST =
            find(Exporter.class, "writeList", MethodType.methodType(void.class, List.class, Serializer.class));
    private static final MethodHandle READ_LIST =
            find(Importer.class, "readList", MethodType.methodType(List.class, Serializer.class));
    private static final MethodHandle READ_ELEMENTS = find(
            Importer.class, "readElements", MethodType.methodType(Object[].class, Serializer.class, IntFunction.class));
    private static final MethodHandle AS_LIST = asList();

    private static final Map<Class<?>, String> PLAIN = Map.ofEntries(
            Map.entry(byte.class, "Byte"),
            Map.entry(boolean.class, "Boolean"),
            Map.entry(short.class, "Short"),
            Map.entry(char.class, "Char"),
            Map.entry(int.class, "Int"),
            Map.entry(long.class, "Long"),
            Map.entry(float.class, "Float"),
            Map.entry(double.class, "Double"),
            Map.entry(String.class, "String"),
            Map.entry(byte[].class, "ByteArray"),
            Map.entry(boolean[].class, "BooleanArray"),
            Map.entry(short[].class, "ShortArray"),
            Map.entry(char[].class, "CharArray"),
            Map.entry(int[].class, "IntArray"),
            Map.entry(long[].class, "LongArray"),
            Map.entry(float[].class, "FloatArray"),
            Map.entry(double[].class, "DoubleArray"));

    private static final Map<Class<?>, Serializer<?>> BOXED = Map.of(
            String.class, simple((Exporter out, String value) -> out.writeString(value), Components::string),
            Byte.class, simple((Exporter out, Byte value) -> out.writeByte(value), Importer::readByte),
            Boolean.class, simple((Exporter out, Boolean value) -> out.writeBoolean(value), Importer::readBoolean),
            Short.class, simple((Exporter out, Short value) -> out.writeShort(value), Importer::readShort),
            Character.class, simple((Exporter out, Character value) -> out.writeChar(value), Importer::readChar),
            Integer.class, simple((Exporter out, Integer value) -> out.writeInt(value), Importer::readInt),
            Long.class, simple((Exporter out, Long value) -> out.writeLong(value), Importer::readLong),
            Float.class, simple((Exporter out, Float value) -> out.writeFloat(value), Importer::readFloat),
            Double.class, simple((Exporter out, Double value) -> out.writeDouble(value), Importer::readDouble));

    /** Records under way or done: one that contains itself finds its own serializer here. */
    private final Map<Class<?>, Later> records = new HashMap<>();

    /**
     * Two handles for one component of class C.
     *
     * @param writer {@code (Exporter, C) -> void}
     * @param reader {@code (Importer) -> C}
     */
    record Codec(MethodHandle writer, MethodHandle reader) {}

    <R> RecordSerializer<R> serializer(Class<R> type) {
        Later later = new Later();
        records.put(type, later);
        RecordSerializer<R> serializer = RecordSerializer.derive(type, this);
        later.target = serializer;
        return serializer;
    }

    Codec codec(RecordComponent component) {
        Class<?> type = component.getType();
        String plain = PLAIN.get(type);
        if (plain != null) {
            return new Codec(
                    find(Exporter.class, "write" + plain, MethodType.methodType(void.class, type)),
                    find(Importer.class, "read" + plain, MethodType.methodType(type)));
        }
        if (type == List.class && component.getGenericType() instanceof ParameterizedType list) {
            Serializer<?> element = element(list.getActualTypeArguments()[0], component);
            return new Codec(
                    MethodHandles.insertArguments(WRITE_LIST, 2, element),
                    MethodHandles.insertArguments(READ_LIST, 1, element));
        }
        if (type.isArray()) {
            Serializer<?> element = element(type.getComponentType(), component);
            IntFunction<Object[]> maker = size -> (Object[]) Array.newInstance(type.getComponentType(), size);
            MethodHandle writer = MethodHandles.insertArguments(WRITE_LIST, 2, element);
            return new Codec(
                    MethodHandles.filterArguments(writer, 1, AS_LIST.asType(MethodType.methodType(List.class, type))),
                    MethodHandles.insertArguments(READ_ELEMENTS, 1, element, maker)
                            .asType(MethodType.methodType(type, Importer.class)));
        }
        Serializer<?> object = element(type, component);
        return new Codec(
                MethodHandles.insertArguments(WRITE_NULLABLE, 2, object)
                        .asType(MethodType.methodType(void.class, Exporter.class, type)),
                MethodHandles.insertArguments(READ_NULLABLE, 1, object)
                        .asType(MethodType.methodType(type, Importer.class)));
    }

    private Serializer<?> element(Type type, RecordComponent component) {
        if (type instanceof Class<?> plain) {
            Serializer<?> boxed = BOXED.get(plain);
            if (boxed != null) {
                return boxed;
            }
            if (plain.isEnum()) {
                return constants(plain);
            }
            if (plain.isRecord()) {
                Later known = records.get(plain);
                return known != null ? known : serializer(plain);
            }
        }
        throw new IllegalArgumentException("component " + component.getName() + " of "
                + component.getDeclaringRecord().getName() + " is of " + type.getTypeName()
                + ", which cannot be derived: write a Serializer for the record");
    }

    @SuppressWarnings("EnumOrdinal") // both sides have the class; constants added at the end keep the others' numbers
    private static Serializer<Object> constants(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        return simple((Exporter out, Object value) -> out.writeCount(((Enum<?>) value).ordinal()), in -> {
            int ordinal = in.readCount();
            if (ordinal >= constants.length) {
                throw new MalformedMessageException(
                        type.getName() + " has " + constants.length + " constants, and none of number " + ordinal);
            }
            return constants[ordinal];
        });
    }

    private static String string(Importer in) {
        String value = in.readString();
        if (value == null) {
            throw new MalformedMessageException("a string within a list is null");
        }
        return value;
    }

    /** Writes one value. */
    @FunctionalInterface
    private interface Write<T> {
        void write(Exporter out, T value);
    }

    /** Reads one value. */
    @FunctionalInterface
    private interface Read<T> {
        T read(Importer in);
    }

    private static <T> Serializer<T> simple(Write<T> write, Read<T> read) {
        return new Serializer<>() {
            @Override
            public void write(T value, Exporter out) {
                write.write(out, value);
            }

            @Override
            public T read(Importer in, @Nullable T reused) {
                return read.read(in);
            }
        };
    }

    /** The serializer of a record that is being derived. */
    private static final class Later implements Serializer<Object> {
        private @Nullable RecordSerializer<?> target;

        @SuppressWarnings("unchecked") // of the class that it is filed under
        private RecordSerializer<Object> target() {
            RecordSerializer<?> known = target;
            if (known == null) {
                throw new IllegalStateException("used while it is being derived");
            }
            return (RecordSerializer<Object>) known;
        }

        @Override
        public void write(Object value, Exporter out) {
            target().write(value, out);
        }

        @Override
        public Object read(Importer in, @Nullable Object reused) {
            return target().read(in, null);
        }
    }

    @SuppressWarnings("UnusedMethod") // found by name below
    private static @Nullable List<Object> listOf(Object @Nullable [] values) {
        return values == null ? null : Arrays.asList(values);
    }

    private static MethodHandle asList() {
        try {
            return LOOKUP.findStatic(Components.class, "listOf", MethodType.methodType(List.class, Object[].class));
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static MethodHandle find(Class<?> owner, String name, MethodType type) {
        try {
            return LOOKUP.findVirtual(owner, name, type);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
