package org.galerna.messaging.serialization;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of what holds other values: arrays, collections, maps and optionals. A count plus one, and the values, each of
 * which may be null; 0 for null. What is read can be changed.
 */
final class CollectionCodecs {
    /** Room that is made before the values themselves have been seen. */
    private static final int BELIEVED = 1024;

    private CollectionCodecs() {}

    private static int readSize(Importer in) {
        long size = in.readUnsigned() - 1;
        if (size < -1 || size > in.remaining() || size > Integer.MAX_VALUE - 8) {
            throw new MalformedMessageException(
                    "a collection has " + size + " elements, where " + in.remaining() + " bytes are left");
        }
        return (int) size;
    }

    static Codec<Object[]> ofArray(Class<?> element, Codec<Object> elements) {
        return Codec.of(
                (out, values) -> {
                    if (values == null) {
                        out.writeByte((byte) 0);
                        return;
                    }
                    writeAll(out, values, elements);
                },
                in -> {
                    int size = readSize(in);
                    if (size < 0) {
                        return null;
                    }
                    if (size <= BELIEVED) {
                        @Nullable Object[] values = (Object[]) Array.newInstance(element, size);
                        for (int each = 0; each < size; each++) {
                            values[each] = elements.read(in);
                        }
                        return values;
                    }
                    return readAll(in, size, elements, new ArrayList<>(BELIEVED))
                            .toArray((Object[]) Array.newInstance(element, 0));
                });
    }

    private static void writeAll(Exporter out, @Nullable Object[] values, Codec<Object> elements) {
        out.writeUnsigned(values.length + 1L);
        for (Object each : values) {
            elements.write(out, each);
        }
    }

    private static <C extends Collection<@Nullable Object>> C readAll(
            Importer in, int size, Codec<Object> elements, C into) {
        for (int each = 0; each < size; each++) {
            into.add(elements.read(in));
        }
        return into;
    }

    static Codec<Collection<@Nullable Object>> ofList(Codec<Object> elements) {
        return ofCollection(elements, ArrayList::new);
    }

    static Codec<Collection<@Nullable Object>> ofSet(Codec<Object> elements) {
        return ofCollection(elements, LinkedHashSet::new);
    }

    private static Codec<Collection<@Nullable Object>> ofCollection(
            Codec<Object> elements, IntFunction<Collection<@Nullable Object>> maker) {
        return Codec.of(
                (out, values) -> {
                    if (values == null) {
                        out.writeByte((byte) 0);
                    } else if (values instanceof List<@Nullable Object> list && values instanceof RandomAccess) {
                        int size = list.size();
                        out.writeUnsigned(size + 1L);
                        for (int each = 0; each < size; each++) {
                            elements.write(out, list.get(each));
                        }
                    } else { // another thread may change it meanwhile: its size is that of the copy
                        writeAll(out, values.toArray(), elements);
                    }
                },
                in -> {
                    int size = readSize(in);
                    return size < 0 ? null : readAll(in, size, elements, maker.apply(Math.min(size, BELIEVED)));
                });
    }

    static Codec<Map<@Nullable Object, @Nullable Object>> ofMap(Codec<Object> keys, Codec<Object> values) {
        return Codec.of(
                (out, map) -> {
                    if (map == null) {
                        out.writeByte((byte) 0);
                        return;
                    }
                    Object[] entries = map.entrySet().toArray();
                    out.writeUnsigned(entries.length + 1L);
                    for (Object each : entries) {
                        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each;
                        keys.write(out, entry.getKey());
                        values.write(out, entry.getValue());
                    }
                },
                in -> {
                    int size = readSize(in);
                    if (size < 0) {
                        return null;
                    }
                    Map<@Nullable Object, @Nullable Object> map =
                            LinkedHashMap.newLinkedHashMap(Math.min(size, BELIEVED));
                    for (int each = 0; each < size; each++) {
                        Object key = keys.read(in);
                        map.put(key, values.read(in));
                    }
                    return map;
                });
    }

    /** A byte: 0 for null, 1 for empty, 2 before a value. */
    static Codec<Optional<Object>> ofOptional(Codec<Object> value) {
        return Codec.of(
                (out, optional) -> {
                    if (optional == null) {
                        out.writeByte((byte) 0);
                    } else if (optional.isEmpty()) {
                        out.writeByte((byte) 1);
                    } else {
                        out.writeByte((byte) 2);
                        value.write(out, optional.get());
                    }
                },
                in -> switch (in.readByte()) {
                    case 0 -> null;
                    case 1 -> Optional.empty();
                    case 2 -> {
                        Object present = value.read(in);
                        if (present == null) {
                            throw new MalformedMessageException("an optional holds null");
                        }
                        yield Optional.of(present);
                    }
                    default -> throw new MalformedMessageException("an optional is neither null, empty nor present");
                });
    }
}
