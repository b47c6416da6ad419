package org.galerna.messaging.serialization;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the messages of a type lie in their bytes, as far as it follows from its record: what two nodes compare before they send each
 * other messages of that type.
 *
 * @param shapes the record first, then whatever lies within it, each once
 */
public record TypeLayout(List<Shape> shapes) {
    /** Shapes and members: each takes some ten times as much memory as bytes, if it has no name. */
    static final int MOST_PARTS = 65_536;

    /** Of a place that is named. */
    private static final int MOST_NAMES = 20;

    /** What a value is made of. */
    enum Kind {
        /** A value without parts; two are the same if their names are. */
        VALUE,
        /** An array or a collection. */
        SEQUENCE,
        MAP,
        OPTIONAL,
        RECORD,
        ENUM,
        SEALED;

        private static final Kind[] ALL = values();
    }

    /** A part of a value; its number in the list of shapes, which a constant of an enum does not have. */
    record Member(String name, int shape) {}

    /** A type. */
    record Shape(Kind kind, String name, List<Member> members) {}

    // ---- of a record

    static TypeLayout of(Class<?> type, Serializers own) {
        Scan scan = new Scan(own);
        int ignored = scan.add(ComponentType.of(type));
        return new TypeLayout(List.copyOf(scan.shapes));
    }

    /**
     * Of several values, the arguments of a method for example: their first shape is a record of them.
     *
     * @param name of the method
     * @param values that {@link ValuesSerializer} has accepted, by their names
     */
    public static TypeLayout of(String name, SequencedMap<String, Type> values, Serializers own) {
        Scan scan = new Scan(own);
        scan.addAll(name, values);
        return new TypeLayout(List.copyOf(scan.shapes));
    }

    /** Finds shapes in the order of {@code Components}, which has accepted the type. */
    private static final class Scan {
        private final Serializers own;
        private final List<Shape> shapes = new ArrayList<>();
        private final Map<ComponentType, Integer> known = new HashMap<>();

        Scan(Serializers own) {
            this.own = own;
        }

        void addAll(String name, SequencedMap<String, Type> values) {
            shapes.add(new Shape(Kind.RECORD, name, List.of())); // until its members are known
            List<Member> members = new ArrayList<>();
            values.forEach((each, type) -> members.add(new Member(each, add(ComponentType.resolve(type, Map.of())))));
            shapes.set(0, new Shape(Kind.RECORD, name, List.copyOf(members)));
        }

        int add(ComponentType type) {
            Integer before = known.get(type);
            if (before != null) {
                return before;
            }
            int number = shapes.size();
            known.put(type, number);
            shapes.add(new Shape(Kind.VALUE, "", List.of())); // until its members are known
            shapes.set(number, shape(type));
            return number;
        }

        private Shape shape(ComponentType type) {
            Class<?> raw = type.raw();
            if (own.find(raw) != null) {
                return new Shape(Kind.VALUE, "what its own serializer writes", List.of());
            }
            if (raw.isPrimitive() || ValueCodecs.find(raw) != null) {
                return new Shape(Kind.VALUE, raw.getTypeName(), List.of());
            }
            if (raw.isArray() || Collection.class.isAssignableFrom(raw)) {
                return holder(Kind.SEQUENCE, type);
            }
            if (raw.isEnum()) {
                return new Shape(
                        Kind.ENUM,
                        raw.getTypeName(),
                        Arrays.stream(raw.getEnumConstants())
                                .map(each -> new Member(((Enum<?>) each).name(), -1))
                                .toList());
            }
            if (raw.isRecord()) {
                List<Member> members = new ArrayList<>();
                for (RecordComponent each : raw.getRecordComponents()) {
                    members.add(new Member(
                            each.getName(), add(ComponentType.resolve(each.getGenericType(), type.variables()))));
                }
                return new Shape(Kind.RECORD, raw.getTypeName(), List.copyOf(members));
            }
            if (raw.isSealed()) {
                List<Member> members = new ArrayList<>();
                for (Class<?> each : raw.getPermittedSubclasses()) {
                    members.add(new Member(each.getSimpleName(), add(type.permitted(each))));
                }
                return new Shape(Kind.SEALED, raw.getTypeName(), List.copyOf(members));
            }
            return raw == Map.class || raw == SequencedMap.class
                    ? holder(Kind.MAP, type)
                    : raw == Optional.class
                            ? holder(Kind.OPTIONAL, type)
                            : new Shape(Kind.VALUE, raw.getTypeName(), List.of());
        }

        private Shape holder(Kind kind, ComponentType type) {
            List<Member> members = new ArrayList<>();
            for (ComponentType each : type.arguments()) {
                members.add(new Member(kind == Kind.MAP && members.isEmpty() ? "key" : "element", add(each)));
            }
            return new Shape(kind, type.raw().getTypeName(), List.copyOf(members));
        }
    }

    // ---- as bytes

    /** These shapes as bytes. */
    public byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(shapes.size());
            for (Shape shape : shapes) {
                out.writeByte(Arrays.asList(Kind.ALL).indexOf(shape.kind));
                out.writeUTF(shape.name);
                out.writeInt(shape.members.size());
                for (Member member : shape.members) {
                    out.writeUTF(member.name);
                    out.writeInt(member.shape);
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /**
     * What {@link #encode} has written.
     *
     * @throws IOException if it is something else
     */
    public static TypeLayout decode(DataInputStream in) throws IOException {
        try {
            return new TypeLayout(decodeShapes(in));
        } catch (EOFException tooShort) {
            throw new IOException("a layout ends in the middle", tooShort);
        }
    }

    private static List<Shape> decodeShapes(DataInputStream in) throws IOException {
        int count = count(in, 1, MOST_PARTS);
        int left = MOST_PARTS - count;
        List<Shape> shapes = new ArrayList<>();
        for (int each = 0; each < count; each++) {
            int kind = in.readUnsignedByte();
            String name = in.readUTF();
            int size = count(in, 0, left);
            left -= size;
            List<Member> members = new ArrayList<>();
            for (int member = 0; member < size; member++) {
                members.add(new Member(in.readUTF(), in.readInt()));
            }
            if (kind >= Kind.ALL.length || members.stream().anyMatch(part -> part.shape < -1 || part.shape >= count)) {
                throw new IOException("a layout makes no sense");
            }
            shapes.add(new Shape(Kind.ALL[kind], name, List.copyOf(members)));
        }
        return List.copyOf(shapes);
    }

    private static int count(DataInputStream in, int least, int most) throws IOException {
        int count = in.readInt();
        if (count < least || count > most) {
            throw new IOException("a layout has " + count + " parts more, and " + most + " are taken");
        }
        return count;
    }

    // ---- compared

    /**
     * What would be read wrongly if one side reads what the other has written; null if nothing. Components, constants and
     * permitted classes that one side has more of at the end do no harm, and neither do other names.
     */
    public @Nullable String difference(TypeLayout other) {
        return new Comparison(this, other).find();
    }

    /**
     * Where the comparison is. It has no text before something is found: another node may say that its layout is very deep.
     *
     * @param outer what it lies in; null of the outermost type
     * @param name within that
     * @param record that the place is a component of, or of whose component a part
     * @param depth of that record; the outermost one has none around it
     */
    private record Place(@Nullable Place outer, String name, String record, int depth) {
        static final Place OUTERMOST = new Place(null, "", "", 0);

        boolean isOutermost() {
            return outer == null;
        }

        String what() {
            return isOutermost() ? "it" : "component " + path() + (depth > 1 ? " (of " + record + ")" : "");
        }

        private String path() {
            Deque<String> names = new ArrayDeque<>();
            Place each = this;
            for (Place around = each.outer; around != null && names.size() < MOST_NAMES; around = each.outer) {
                names.addFirst(each.name);
                each = around;
            }
            return (each.isOutermost() ? "" : "….") + String.join(".", names);
        }

        Place within(Shape around, String part) {
            return around.kind == Kind.RECORD
                    ? new Place(this, part, around.name, depth + 1)
                    : new Place(this, part, record, depth);
        }
    }

    /** Two shapes at the same place. */
    private record Pair(int own, int other, Place place) {}

    private static final class Comparison {
        private final TypeLayout here;
        private final TypeLayout there;
        private final Set<Long> seen = new HashSet<>();
        private final Deque<Pair> next = new ArrayDeque<>(); // no recursion: the other side says how deep it would be

        Comparison(TypeLayout here, TypeLayout there) {
            this.here = here;
            this.there = there;
        }

        /** Looks at everything in the order in which it lies in messages. */
        @Nullable
        String find() {
            next.push(new Pair(0, 0, Place.OUTERMOST));
            while (!next.isEmpty()) {
                Pair pair = next.pop();
                boolean known =
                        pair.own < 0 || pair.other < 0 || !seen.add((long) pair.own << Integer.SIZE | pair.other);
                String found = known ? null : compare(pair);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }

        private @Nullable String compare(Pair pair) {
            Shape own = here.shapes.get(pair.own);
            Shape other = there.shapes.get(pair.other);
            Place place = pair.place;
            if (own.kind != other.kind || (own.kind == Kind.VALUE && !own.name.equals(other.name))) {
                return place.what() + " is " + own.name + " here, and " + other.name + " there";
            }
            String moved = moved(own, other, place);
            if (moved != null) {
                return moved;
            }
            for (int each = Math.min(own.members.size(), other.members.size()) - 1; each >= 0; each--) {
                Member part = own.members.get(each);
                String within = own.kind == Kind.RECORD || own.kind == Kind.SEALED ? part.name : "(" + part.name + ")";
                next.push(new Pair(part.shape, other.members.get(each).shape, place.within(own, within)));
            }
            return null;
        }

        /** Of two names for the same place, one that the other side has at another place. */
        private static @Nullable String moved(Shape own, Shape other, Place place) {
            if (own.kind != Kind.RECORD && own.kind != Kind.ENUM && own.kind != Kind.SEALED) {
                return null;
            }
            List<String> names = own.members.stream().map(Member::name).toList();
            List<String> others = other.members.stream().map(Member::name).toList();
            for (int each = 0; each < Math.min(names.size(), others.size()); each++) {
                String name = names.get(each);
                String second = others.get(each);
                if (!name.equals(second) && (others.contains(name) || names.contains(second))) {
                    return (place.isOutermost() ? "" : place.what() + ": ") + "number " + (each + 1) + " of " + own.name
                            + " is " + name + " here, and " + second + " there";
                }
            }
            return null;
        }
    }
}
