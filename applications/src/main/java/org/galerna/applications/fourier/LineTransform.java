package org.galerna.applications.fourier;

/**
 * Transforms of a batch of lines side by side: Stockham's method, which needs no reordering. Element k of all lines of
 * the batch is one row, so that every inner loop goes through whole rows with the same index, and becomes vector code; a
 * batch fits into the second cache. Not thread-safe.
 */
public final class LineTransform {
    private final int length;
    private final double[] cosines;
    private final double[] sines;
    private double[][] real;
    private double[][] imaginary;
    private double[][] otherReal;
    private double[][] otherImaginary;

    /**
     * Room for a batch.
     *
     * @param length of the lines, a power of two
     * @param batch number of lines
     */
    public LineTransform(int length, int batch) {
        if (Integer.bitCount(length) != 1) {
            throw new IllegalArgumentException("a line has a power of two of elements, not " + length);
        }
        this.length = length;
        this.cosines = new double[Math.max(1, length / 2)];
        this.sines = new double[cosines.length];
        for (int index = 0; index < cosines.length; index++) {
            cosines[index] = Math.cos(2 * Math.PI * index / length);
            sines[index] = Math.sin(2 * Math.PI * index / length);
        }
        this.real = new double[length][batch];
        this.imaginary = new double[length][batch];
        this.otherReal = new double[length][batch];
        this.otherImaginary = new double[length][batch];
    }

    /** The real parts: element first, then line. Other arrays after a transform. */
    public double[][] real() {
        return real;
    }

    /** The imaginary parts. */
    public double[][] imaginary() {
        return imaginary;
    }

    /** Transforms the first {@code lines} of the batch with {@code exp(-2 pi i jk / n)}. */
    public void forward(int lines) {
        run(lines, -1);
    }

    /** The same with {@code exp(2 pi i jk / n)}; nothing is divided by n. */
    public void inverse(int lines) {
        run(lines, 1);
    }

    private void run(int lines, int sign) {
        int stride = 1;
        for (int rest = length; rest > 1; rest /= 2) {
            int half = rest / 2;
            for (int p = 0; p < half; p++) {
                double cosine = cosines[p * stride];
                double sine = sign * sines[p * stride];
                for (int q = 0; q < stride; q++) {
                    int one = q + stride * p;
                    int two = one + stride * half;
                    int out = q + stride * 2 * p;
                    butterfly(
                            real[one],
                            imaginary[one],
                            real[two],
                            imaginary[two],
                            otherReal[out],
                            otherImaginary[out],
                            otherReal[out + stride],
                            otherImaginary[out + stride],
                            cosine,
                            sine,
                            lines);
                }
            }
            double[][] swap = real;
            real = otherReal;
            otherReal = swap;
            swap = imaginary;
            imaginary = otherImaginary;
            otherImaginary = swap;
            stride *= 2;
        }
    }

    private static void butterfly(
            double[] oneReal,
            double[] oneImaginary,
            double[] twoReal,
            double[] twoImaginary,
            double[] sumReal,
            double[] sumImaginary,
            double[] productReal,
            double[] productImaginary,
            double cosine,
            double sine,
            int lines) {
        for (int line = 0; line < lines; line++) {
            sumReal[line] = oneReal[line] + twoReal[line];
            sumImaginary[line] = oneImaginary[line] + twoImaginary[line];
            double real = oneReal[line] - twoReal[line];
            double imaginary = oneImaginary[line] - twoImaginary[line];
            productReal[line] = real * cosine - imaginary * sine;
            productImaginary[line] = real * sine + imaginary * cosine;
        }
    }
}
