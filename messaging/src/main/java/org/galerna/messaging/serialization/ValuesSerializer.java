package org.galerna.messaging.serialization;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A serializer of several values of given types, the arguments of a method for example. The types are those of {@link RecordSerializer}. */
public final class ValuesSerializer implements Serializer<@Nullable Object[]> {
    private final List<Codec<Object>> codecs;
    private final List<Type> types;

    private ValuesSerializer(List<Codec<Object>> codecs, List<Type> types) {
        this.codecs = codecs;
        this.types = types;
    }

    /**
     * The serializer of some values.
     *
     * @param what of each value what it is, for errors
     * @throws IllegalArgumentException if values of one of the types cannot be sent; the message names it
     */
    public static ValuesSerializer of(List<Type> types, List<String> what, Serializers own) {
        List<Codec<Object>> codecs = new ArrayList<>();
        for (int each = 0; each < types.size(); each++) {
            codecs.add(new Components(own).values(types.get(each), what.get(each)));
        }
        return new ValuesSerializer(List.copyOf(codecs), List.copyOf(types));
    }

    @Override
    public void write(@Nullable Object[] values, Exporter out) {
        for (int each = 0; each < codecs.size(); each++) {
            codecs.get(each).write(out, values[each]);
        }
    }

    @Override
    public @Nullable Object[] read(Importer in, @Nullable Object @Nullable [] reused) {
        @Nullable Object[] values = new Object[codecs.size()];
        for (int each = 0; each < values.length; each++) {
            values[each] = codecs.get(each).read(in);
            if (values[each] == null && types.get(each) instanceof Class<?> type && type.isPrimitive()) {
                throw new MalformedMessageException("a " + type.getName() + " is null");
            }
        }
        return values;
    }
}
