package org.galerna.messaging.serialization;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The codecs of enums, of records within records, and of sealed types. */
final class NestedCodecs {
    private NestedCodecs() {}

    /** The number of the constant plus one. Constants that are added at the end keep the others' numbers. */
    @SuppressWarnings("EnumOrdinal") // both sides have the class
    static Codec<Object> ofEnum(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        return Codec.of((out, value) -> out.writeCount(value == null ? 0 : ((Enum<?>) value).ordinal() + 1), in -> {
            int number = in.readCount();
            if (number > constants.length) {
                throw new MalformedMessageException(type.getName() + " has " + constants.length
                        + " constants here, and none of number " + (number - 1));
            }
            return number == 0 ? null : constants[number - 1];
        });
    }

    /** A codec that is found while it is being derived: that of a type that contains itself. */
    static final class Later implements Codec<Object> {
        private @Nullable Codec<Object> target;

        void become(Codec<Object> codec) {
            target = codec;
        }

        private Codec<Object> target() {
            Codec<Object> known = target;
            if (known == null) {
                throw new IllegalStateException("used while it is being derived");
            }
            return known;
        }

        @Override
        public void write(Exporter out, @Nullable Object value) {
            target().write(out, value);
        }

        @Override
        public @Nullable Object read(Importer in) {
            return target().read(in);
        }
    }

    /**
     * The number of its components plus one, and the components. A reader that knows more of them takes zero or null for
     * the rest. One that knows fewer cannot tell where the record ends, and refuses it.
     */
    static Codec<Object> ofRecord(RecordSerializer<Object> serializer) {
        int components = serializer.components();
        String name = serializer.name();
        Serializer<Object> whole = new Serializer<>() {
            @Override
            public void write(Object value, Exporter out) {
                serializer.write(value, out);
            }

            @Override
            public Object read(Importer in, @Nullable Object reused) {
                return serializer.readWhole(in);
            }
        };
        return Codec.of(
                (out, value) -> {
                    if (value == null) {
                        out.writeByte((byte) 0);
                    } else {
                        out.writeCount(components + 1);
                        out.writeObject(value, whole);
                    }
                },
                in -> {
                    int written = in.readCount() - 1;
                    if (written < 0) {
                        return null;
                    }
                    if (written == components) {
                        return in.readObject(whole);
                    }
                    if (written > components) {
                        throw new MalformedMessageException(name + " has " + written
                                + " components where it was written, and " + components
                                + " here: this node needs the newer version of the record");
                    }
                    return in.readObject(new Older(serializer, written));
                });
    }

    /** Reads a record that had fewer components where it was written. */
    private record Older(RecordSerializer<Object> serializer, int written) implements Serializer<Object> {
        @Override
        public void write(Object value, Exporter out) {
            serializer.write(value, out);
        }

        @Override
        public Object read(Importer in, @Nullable Object reused) {
            return serializer.readFirst(in, written);
        }
    }

    /** One of the classes that a sealed type permits. */
    record Choice(Class<?> type, Codec<Object> codec) {}

    /** The number of the permitted class plus one, and the object. Classes that are added at the end keep the others' numbers. */
    static Codec<Object> ofSealed(Class<?> type, List<Choice> choices) {
        return Codec.of(
                (out, value) -> {
                    if (value == null) {
                        out.writeByte((byte) 0);
                        return;
                    }
                    int number = 0;
                    while (!choices.get(number).type().isInstance(value)) {
                        number++; // ends, because one of the permitted classes is that of the value
                    }
                    out.writeCount(number + 1);
                    choices.get(number).codec().write(out, value);
                },
                in -> {
                    int number = in.readCount();
                    if (number == 0) {
                        return null;
                    }
                    if (number > choices.size()) {
                        throw new MalformedMessageException(type.getName() + " permits " + choices.size()
                                + " classes here, and none of number " + (number - 1));
                    }
                    Object value = choices.get(number - 1).codec().read(in);
                    if (value == null) {
                        throw new MalformedMessageException("a " + type.getName() + " is of a class, and null");
                    }
                    return value;
                });
    }
}
