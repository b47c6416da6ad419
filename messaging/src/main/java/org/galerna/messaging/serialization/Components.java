package org.galerna.messaging.serialization;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;

/** How the components of records are written and read. One object derives one record and those within it. */
final class Components {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    static final MethodHandle HAS_REMAINING =
            find(Importer.class, "hasRemaining", MethodType.methodType(boolean.class));

    private static final MethodHandle WRITE =
            find(Codec.class, "write", MethodType.methodType(void.class, Exporter.class, Object.class));
    private static final MethodHandle READ =
            find(Codec.class, "read", MethodType.methodType(Object.class, Importer.class));

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

    private final Serializers own;

    /** Records and sealed types under way or done: one that contains itself finds its own codec here. */
    private final Map<ComponentType, Codec<Object>> known = new HashMap<>();

    Components(Serializers own) {
        this.own = own;
    }

    Serializers own() {
        return own;
    }

    /**
     * Two handles for one component of class C.
     *
     * @param writer {@code (Exporter, C) -> void}
     * @param reader {@code (Importer) -> C}
     */
    record Handles(MethodHandle writer, MethodHandle reader) {}

    /** A type within a component cannot be sent. */
    private static final class Unsendable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unsendable(String reason) {
            super(reason, null, false, false);
        }
    }

    /** The serializer of a record that is a message itself. */
    <R> RecordSerializer<R> serializer(Class<R> type) {
        ComponentType self = ComponentType.of(type);
        NestedCodecs.Later later = new NestedCodecs.Later();
        known.put(self, later);
        RecordSerializer<R> serializer = RecordSerializer.derive(type, self, this);
        later.become(nested(serializer));
        return serializer;
    }

    @SuppressWarnings("unchecked") // writes and reads objects of that class only
    private static <R> Codec<Object> nested(RecordSerializer<R> serializer) {
        return NestedCodecs.ofRecord((RecordSerializer<Object>) serializer);
    }

    /** How values of a type are written and read, primitives as objects. */
    Codec<Object> values(Type type, String what) {
        ComponentType resolved = ComponentType.resolve(
                type instanceof Class<?> plain
                        ? MethodType.methodType(plain).wrap().returnType()
                        : type,
                Map.of());
        try {
            return codec(resolved);
        } catch (Unsendable reason) {
            throw new IllegalArgumentException(
                    what + " is of " + resolved + ", which cannot be derived: " + reason.getMessage()
                            + ". Give a Serializer for that class (Serializers.with)",
                    reason);
        }
    }

    /** How a component is written and read, without boxing where it is a primitive or an array of them. */
    Handles handles(RecordComponent component, ComponentType declaring) {
        Class<?> type = component.getType();
        String plain = PLAIN.get(type);
        if (plain != null && own.find(type) == null) {
            return new Handles(
                    find(Exporter.class, "write" + plain, MethodType.methodType(void.class, type)),
                    find(Importer.class, "read" + plain, MethodType.methodType(type)));
        }
        ComponentType resolved = ComponentType.resolve(component.getGenericType(), declaring.variables());
        Codec<Object> codec;
        try {
            codec = codec(resolved);
        } catch (Unsendable reason) {
            throw new IllegalArgumentException(
                    "component " + component.getName() + " of "
                            + component.getDeclaringRecord().getName() + " is of " + resolved
                            + ", which cannot be derived: " + reason.getMessage()
                            + ". Give a Serializer for that class (Serializers.with), or write a Serializer for the record",
                    reason);
        }
        return new Handles(
                WRITE.bindTo(codec).asType(MethodType.methodType(void.class, Exporter.class, type)),
                READ.bindTo(codec).asType(MethodType.methodType(type, Importer.class)));
    }

    @SuppressWarnings("unchecked") // a codec is used for objects of its type only
    private Codec<Object> codec(ComponentType type) {
        Class<?> raw = type.raw();
        Serializer<?> given = own.find(raw);
        if (given != null) {
            Serializer<Object> serializer = (Serializer<Object>) given;
            return Codec.nullable((out, value) -> out.writeObject(value, serializer), in -> in.readObject(serializer));
        }
        Codec<?> value = ValueCodecs.find(raw);
        if (value != null) {
            return (Codec<Object>) value;
        }
        if (raw.isArray()) {
            return (Codec<Object>)
                    (Codec<?>) CollectionCodecs.ofArray(raw.getComponentType(), codec(argument(type, 0)));
        }
        if (raw.isEnum()) {
            return NestedCodecs.ofEnum(raw);
        }
        if (raw.isRecord() || raw.isSealed()) {
            return composed(type);
        }
        return (Codec<Object>) holder(type);
    }

    private Codec<?> holder(ComponentType type) {
        Class<?> raw = type.raw();
        if (raw == List.class || raw == Collection.class || raw == SequencedCollection.class) {
            return CollectionCodecs.ofList(codec(argument(type, 0)));
        }
        if (raw == Set.class || raw == SequencedSet.class) {
            return CollectionCodecs.ofSet(codec(argument(type, 0)));
        }
        if (raw == Map.class || raw == SequencedMap.class) {
            return CollectionCodecs.ofMap(codec(argument(type, 0)), codec(argument(type, 1)));
        }
        if (raw == Optional.class) {
            return CollectionCodecs.ofOptional(codec(argument(type, 0)));
        }
        throw new Unsendable(unsendable(raw));
    }

    private static ComponentType argument(ComponentType type, int number) {
        if (type.arguments().size() <= number) {
            throw new Unsendable(type + " does not say of what");
        }
        return type.arguments().get(number);
    }

    private static String unsendable(Class<?> raw) {
        if (Collection.class.isAssignableFrom(raw)) {
            return raw.getName() + " is one kind of collection; declare it as Collection, List or Set";
        }
        if (Map.class.isAssignableFrom(raw)) {
            return raw.getName() + " is one kind of map; declare it as Map";
        }
        if (raw == Object.class) {
            return "anything may be a java.lang.Object; declare what it is, also where a type variable stands for it";
        }
        if (raw.isInterface() || Modifier.isAbstract(raw.getModifiers())) {
            return raw.getName() + " may be of any class; a sealed interface of records can be sent";
        }
        return raw.getName() + " is neither a record nor one of the classes that the guide lists";
    }

    // ---- records and sealed types

    private Codec<Object> composed(ComponentType type) {
        Codec<Object> found = known.get(type);
        if (found != null) {
            return found;
        }
        if (type.isTooDeep()) {
            throw new Unsendable("its type arguments lie within each other without end");
        }
        NestedCodecs.Later later = new NestedCodecs.Later();
        known.put(type, later);
        Codec<Object> codec = type.raw().isRecord()
                ? nested(RecordSerializer.derive(type.raw(), type, this))
                : NestedCodecs.ofSealed(type.raw(), choices(type));
        later.become(codec);
        return codec;
    }

    private List<NestedCodecs.Choice> choices(ComponentType type) {
        List<NestedCodecs.Choice> choices = new ArrayList<>();
        for (Class<?> each : type.raw().getPermittedSubclasses()) {
            if (!each.isRecord() && !each.isEnum() && !each.isSealed() && own.find(each) == null) {
                throw new Unsendable(type.raw().getName() + " permits " + each.getName()
                        + ", which is neither a record, an enum nor sealed itself");
            }
            choices.add(new NestedCodecs.Choice(each, codec(type.permitted(each))));
        }
        return List.copyOf(choices);
    }

    private static MethodHandle find(Class<?> owner, String name, MethodType type) {
        try {
            return LOOKUP.findVirtual(owner, name, type);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
