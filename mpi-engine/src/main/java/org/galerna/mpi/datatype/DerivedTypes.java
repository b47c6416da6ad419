package org.galerna.mpi.datatype;

import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/** Datatypes made of others. A distance is in extents of the old type, or else in elements of the base type. */
public final class DerivedTypes {
    private DerivedTypes() {}

    /** Items side by side. */
    public static Datatype contiguous(int count, @Nullable Datatype old) {
        return of("Contiguous", contiguousLayout(count, old));
    }

    /** Two elements of a type side by side, under a name. */
    public static Datatype pair(String name, Datatype element) {
        return new Datatype("Contiguous", name, contiguousLayout(2, element), true);
    }

    private static Layout contiguousLayout(int count, @Nullable Datatype old) {
        if (count < 0) {
            throw new DeviceException(ErrorClass.COUNT, "count must not be negative, it is " + count);
        }
        return layoutOf(old).contiguous(count);
    }

    /** Blocks at a fixed distance. */
    public static Datatype vector(
            int count, int blockLength, int stride, @Nullable Datatype old, boolean strideInExtents) {
        if (count < 0 || blockLength < 0) {
            throw new DeviceException(ErrorClass.COUNT, "count and block length must not be negative");
        }
        Layout layout = layoutOf(old);
        long distance = strideInExtents ? (long) stride * layout.extent() : stride;
        return of("Vector", layout.vector(count, blockLength, distance));
    }

    /** Blocks anywhere. */
    public static Datatype indexed(int[] lengths, int[] displacements, @Nullable Datatype old, boolean inExtents) {
        checkBlocks(lengths, displacements);
        Layout layout = layoutOf(old);
        return of("Indexed", layout.indexed(lengths, inElements(displacements, inExtents ? layout.extent() : 1)));
    }

    /** Blocks of different types, which have one base type; bound markers among them set bounds. */
    public static Datatype struct(int[] lengths, int[] displacements, @Nullable Datatype[] types) {
        checkBlocks(lengths, displacements);
        if (types.length != lengths.length) {
            throw new DeviceException(
                    ErrorClass.ARG,
                    "there are " + lengths.length + " block lengths but " + types.length + " datatypes");
        }
        Layout[] layouts = new Layout[types.length];
        for (int block = 0; block < types.length; block++) {
            Datatype member = Datatype.checked(types[block]);
            member.requireUsable();
            layouts[block] = member.layout();
        }
        try {
            return of("Struct", Layout.struct(lengths, inElements(displacements, 1), layouts));
        } catch (IllegalArgumentException mixed) {
            throw new DeviceException(ErrorClass.TYPE, String.valueOf(mixed.getMessage()));
        }
    }

    private static Datatype of(String kind, Layout layout) {
        return new Datatype(kind, null, layout, true);
    }

    /** Layout of a type that can be communicated with. */
    private static Layout layoutOf(@Nullable Datatype type) {
        Datatype given = Datatype.checked(type);
        ElementType unused = given.element(); // or an error
        return given.layout();
    }

    private static void checkBlocks(int[] lengths, int[] displacements) {
        if (lengths.length != displacements.length) {
            throw new DeviceException(
                    ErrorClass.ARG,
                    "there are " + lengths.length + " block lengths but " + displacements.length + " displacements");
        }
        for (int block = 0; block < lengths.length; block++) {
            if (lengths[block] < 0) {
                throw new DeviceException(
                        ErrorClass.COUNT, "the length of block " + block + " is negative: " + lengths[block]);
            }
        }
    }

    private static long[] inElements(int[] displacements, int unit) {
        long[] elements = new long[displacements.length];
        for (int block = 0; block < elements.length; block++) {
            elements[block] = (long) displacements[block] * unit;
        }
        return elements;
    }
}
