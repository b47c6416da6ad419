package org.galerna.memory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.memory.StridedLoop.Shape;
import org.jspecify.annotations.Nullable;

/**
 * The generated loops of the process, each made when its shape has been copied often. Any thread may ask.
 *
 * <p>What makes them worth it: with lengths and distances as constants, the compiler checks the bounds once before the loop
 * and not for every element, and a pass reads several runs before it writes them. In the caches of a core that is two to
 * three times as fast as a loop over variables.
 */
final class StridedLoops {
    /** Elements of a run up to which loops are generated: longer ones are block copies. */
    static final int LONGEST_RUN = 16;

    /** Elements from run to run up to which loops are generated: with more, memory is what takes the time. */
    static final int GREATEST_STRIDE = 64;

    /** Runs of one shape to copy before its loop is generated, which takes about as long as these. */
    static final int MANY_RUNS = 1 << 20;

    /** Fewer runs than this are copied before a loop is found. */
    private static final int FEW_RUNS = 64;

    /** Shapes that may have loops, so that a program with ever new ones does not fill the memory with code. */
    private static final int MOST_SHAPES = 64;

    private static final Map<Shape, Known> KNOWN = new ConcurrentHashMap<>();

    private StridedLoops() {}

    /** The loop for so many runs of a shape, or null if they are copied as well without one, or were not often enough. */
    static @Nullable StridedLoop find(Class<?> array, int length, int fromStride, int toStride, int runs) {
        if (runs < FEW_RUNS
                || length > LONGEST_RUN
                || !isNear(fromStride, length)
                || !isNear(toStride, length)
                || !array.getComponentType().isPrimitive()) {
            return null;
        }
        Shape shape = new Shape(array, length, fromStride, toStride);
        Known known = KNOWN.get(shape);
        if (known == null) {
            if (KNOWN.size() >= MOST_SHAPES) {
                return null;
            }
            known = KNOWN.computeIfAbsent(shape, Known::new);
        }
        return known.loop(runs);
    }

    private static boolean isNear(int stride, int length) {
        return stride >= length && stride <= GREATEST_STRIDE;
    }

    /** A shape that was copied, and its loop when there is one. */
    private static final class Known {
        private final Shape shape;
        private int copied; // counts that threads overwrite are lost, which puts the loop off
        private volatile @Nullable StridedLoop loop;

        private Known(Shape shape) {
            this.shape = shape;
        }

        private @Nullable StridedLoop loop(int runs) {
            StridedLoop known = loop;
            if (known == null) {
                copied += Math.min(runs, MANY_RUNS);
                if (copied >= MANY_RUNS) {
                    known = StridedLoopGenerator.generate(shape); // at worst by several threads, once each
                    loop = known;
                }
            }
            return known;
        }
    }
}
