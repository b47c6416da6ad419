package org.galerna.profile.calls;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import org.galerna.mpi.comm.Communicator;
import org.jspecify.annotations.Nullable;

/**
 * What the arguments of a collective call say: its root, and how many bytes the rank gives and gets. A datatype follows its count,
 * or the counts of all ranks and where their items are. Each handle takes all arguments of the call. Arguments that a rank does not use may
 * be null.
 */
final class CollectiveArguments {
    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();
    private static final int NO_ROOT = -1;
    private static final String SIZE_METHOD = "getByteSize";

    /** Each rank gets its own one of several blocks, and gives all. */
    private static final String OWN_BLOCK = "Reduce_scatter";

    private static final MethodHandle BYTES_OF_COUNT = own("bytes", long.class, int.class, int.class);
    private static final MethodHandle BYTES_OF_COUNTS = own("bytes", long.class, int[].class, int.class);
    private static final MethodHandle BYTES_OF_OWN =
            own("bytesOfOwn", long.class, Communicator.class, int[].class, int.class);
    private static final MethodHandle IS_THERE = own("isThere", boolean.class, Object.class);

    private final String name;
    private final MethodHandle communicatorOf;
    private final MethodType type;
    private final List<Class<?>> parameters;

    /**
     * Of calls of a method.
     *
     * @param communicatorOf takes the communicator out of the first argument
     * @param type all arguments, and what the call returns
     */
    CollectiveArguments(String name, MethodHandle communicatorOf, MethodType type) {
        this.name = name;
        this.communicatorOf = communicatorOf;
        this.type = type;
        this.parameters = type.parameterList();
    }

    MethodHandle communicator() {
        return ofPlaces(communicatorOf, 0);
    }

    /** The last argument of those that have a root. */
    MethodHandle root() {
        return switch (name) {
            case "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Reduce" ->
                ofPlaces(MethodHandles.identity(int.class), parameters.size() - 1);
            default -> constant(int.class, NO_ROOT);
        };
    }

    MethodHandle given() {
        return bytes(firstDatatype());
    }

    MethodHandle gotten() {
        if (name.equals(OWN_BLOCK)) {
            int datatype = firstDatatype();
            MethodHandle bytes = MethodHandles.filterArguments(BYTES_OF_OWN, 2, sizeOf(parameters.get(datatype)));
            return ofPlaces(MethodHandles.filterArguments(bytes, 0, communicatorOf), 0, datatype - 1, datatype);
        }
        int last = parameters.size() - 1;
        while (last >= 0 && !isDatatype(last)) {
            last--;
        }
        return bytes(last);
    }

    private int firstDatatype() {
        int first = 0;
        while (first < parameters.size() && !isDatatype(first)) {
            first++;
        }
        return first == parameters.size() ? NO_ROOT : first;
    }

    private boolean isDatatype(int place) {
        return parameters.get(place).getName().equals("mpi.Datatype");
    }

    private MethodHandle bytes(int datatype) {
        if (datatype < 1) {
            return constant(long.class, 0L);
        }
        MethodHandle size = sizeOf(parameters.get(datatype));
        int count = datatype - 1;
        if (parameters.get(count) == int.class) {
            return ofPlaces(MethodHandles.filterArguments(BYTES_OF_COUNT, 1, size), count, datatype);
        }
        boolean withPlaces = parameters.get(count - 1) == int[].class;
        return ofPlaces(
                MethodHandles.filterArguments(BYTES_OF_COUNTS, 1, size), withPlaces ? count - 1 : count, datatype);
    }

    /** Bytes of an item; none if there is no datatype. */
    private static MethodHandle sizeOf(Class<?> datatype) {
        try {
            MethodHandle size =
                    MethodHandles.publicLookup().findVirtual(datatype, SIZE_METHOD, MethodType.methodType(int.class));
            MethodHandle none = MethodHandles.dropArguments(MethodHandles.constant(int.class, 0), 0, datatype);
            return MethodHandles.guardWithTest(
                    IS_THERE.asType(MethodType.methodType(boolean.class, datatype)), size, none);
        } catch (ReflectiveOperationException missing) {
            throw new LinkageError(SIZE_METHOD, missing);
        }
    }

    private MethodHandle constant(Class<?> result, Object value) {
        return MethodHandles.dropArguments(MethodHandles.constant(result, value), 0, parameters);
    }

    /** Takes all arguments of the call, and uses some. */
    private MethodHandle ofPlaces(MethodHandle target, int... places) {
        return MethodHandles.permuteArguments(
                target, type.changeReturnType(target.type().returnType()), places);
    }

    static boolean isThere(@Nullable Object datatype) {
        return datatype != null;
    }

    static long bytes(int count, int size) {
        return Math.max(0, (long) count * size);
    }

    static long bytes(int @Nullable [] counts, int size) {
        long sum = 0;
        for (int count : Objects.requireNonNullElse(counts, new int[0])) {
            sum += bytes(count, size);
        }
        return sum;
    }

    static long bytesOfOwn(Communicator communicator, int @Nullable [] counts, int size) {
        int rank = communicator.rank();
        return counts == null || rank < 0 || rank >= counts.length ? 0 : bytes(counts[rank], size);
    }

    private static MethodHandle own(String name, Class<?> result, Class<?>... parameters) {
        try {
            return OWN.findStatic(CollectiveArguments.class, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException missing) {
            throw new LinkageError(name, missing);
        }
    }
}
