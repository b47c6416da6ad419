package org.galerna.collectives.reduction;

import java.lang.reflect.Array;
import org.galerna.collectives.buffer.Copying;

/**
 * A predefined operation on one primitive type. Arrays of that type are combined where they are; other buffers, memory
 * segments above all, in pieces that are copied to arrays and back.
 *
 * @param <T> an array type
 */
final class ArrayReduction<T> implements Reduction {
    /** Numbers in a piece of a buffer that is no array of the type. */
    private static final int PIECE = 2048;

    private final String description;
    private final Class<T> type;
    private final int numberSize;
    private final int numbersPerElement;
    private final Loop<T> loop;

    /**
     * An operation.
     *
     * @param numberSize bytes of a number
     * @param numbersPerElement 2 for pairs, else 1
     */
    ArrayReduction(Operator operator, Class<T> type, int numberSize, int numbersPerElement, Loop<T> loop) {
        this.description = operator + " on " + type.getSimpleName();
        this.type = type;
        this.numberSize = numberSize;
        this.numbersPerElement = numbersPerElement;
        this.loop = loop;
    }

    @Override
    public void apply(Object in, long inOffset, Object inOut, long inOutOffset, int count) {
        if (type.isInstance(in) && type.isInstance(inOut) && ((inOffset | inOutOffset) & (numberSize - 1)) == 0) {
            int inFrom = Math.toIntExact(inOffset / numberSize);
            int inOutFrom = Math.toIntExact(inOutOffset / numberSize);
            loop.apply(type.cast(in), inFrom, type.cast(inOut), inOutFrom, count);
        } else {
            applyInPieces(in, inOffset, inOut, inOutOffset, count);
        }
    }

    private void applyInPieces(Object in, long inOffset, Object inOut, long inOutOffset, int count) {
        T left = type.cast(Array.newInstance(type.componentType(), PIECE));
        T right = type.cast(Array.newInstance(type.componentType(), PIECE));
        int elements = PIECE / numbersPerElement;
        for (int done = 0; done < count; done += elements) {
            int now = Math.min(elements, count - done);
            long position = (long) done * elementSize();
            long bytes = (long) now * elementSize();
            Copying.copy(in, inOffset + position, left, 0, bytes);
            Copying.copy(inOut, inOutOffset + position, right, 0, bytes);
            loop.apply(left, 0, right, 0, now);
            Copying.copy(right, 0, inOut, inOutOffset + position, bytes);
        }
    }

    @Override
    public int elementSize() {
        return numberSize * numbersPerElement;
    }

    @Override
    public boolean commutative() {
        return true;
    }

    @Override
    public Object allocate(int count) {
        return Array.newInstance(type.componentType(), Math.multiplyExact(count, numbersPerElement));
    }

    @Override
    public Class<?> memoryType() {
        return type;
    }

    @Override
    public String toString() {
        return description;
    }
}
