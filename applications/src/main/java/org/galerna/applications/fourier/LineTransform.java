package org.galerna.applications.fourier;

/**
 * Transforms of a batch of lines side by side: Stockham's method with four parts, which needs no reordering. Element k of all lines of
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
        this.cosines = new double[length];
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

    /** Elements of each line. */
    int length() {
        return length;
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
        int rest = length;
        for (; rest >= 4; rest /= 4) {
            for (int p = 0; p < rest / 4; p++) {
                quarters(p, rest / 4, stride, sign, lines);
            }
            swap();
            stride *= 4;
        }
        if (rest == 2) {
            for (int q = 0; q < stride; q++) {
                add(real[q], real[q + stride], otherReal[q], otherReal[q + stride], lines);
                add(imaginary[q], imaginary[q + stride], otherImaginary[q], otherImaginary[q + stride], lines);
            }
            swap();
        }
    }

    private void swap() {
        double[][] swap = real;
        real = otherReal;
        otherReal = swap;
        swap = imaginary;
        imaginary = otherImaginary;
        otherImaginary = swap;
    }

    /** Two steps at once: they read and write half as much as one after the other. */
    private void quarters(int p, int quarter, int stride, int sign, int lines) {
        int one = p * stride;
        int plus = sign > 0 ? 1 : 3; // which of the results is that with +i
        int minus = 4 - plus;
        for (int q = 0; q < stride; q++) {
            int in = q + stride * p;
            int step = stride * quarter;
            int out = q + stride * 4 * p;
            butterfly(
                    real[in],
                    imaginary[in],
                    real[in + step],
                    imaginary[in + step],
                    real[in + 2 * step],
                    imaginary[in + 2 * step],
                    real[in + 3 * step],
                    imaginary[in + 3 * step],
                    otherReal[out],
                    otherImaginary[out],
                    otherReal[out + plus * stride],
                    otherImaginary[out + plus * stride],
                    otherReal[out + 2 * stride],
                    otherImaginary[out + 2 * stride],
                    otherReal[out + minus * stride],
                    otherImaginary[out + minus * stride],
                    cosines[plus * one],
                    sign * sines[plus * one],
                    cosines[2 * one],
                    sign * sines[2 * one],
                    cosines[minus * one],
                    sign * sines[minus * one],
                    lines);
        }
    }

    private static void butterfly(
            double[] aReal,
            double[] aImaginary,
            double[] bReal,
            double[] bImaginary,
            double[] cReal,
            double[] cImaginary,
            double[] dReal,
            double[] dImaginary,
            double[] sumReal,
            double[] sumImaginary,
            double[] plusReal,
            double[] plusImaginary,
            double[] differenceReal,
            double[] differenceImaginary,
            double[] minusReal,
            double[] minusImaginary,
            double plusCosine,
            double plusSine,
            double cosine,
            double sine,
            double minusCosine,
            double minusSine,
            int lines) {
        for (int line = 0; line < lines; line++) {
            double evenReal = aReal[line] + cReal[line];
            double evenImaginary = aImaginary[line] + cImaginary[line];
            double oddReal = bReal[line] + dReal[line];
            double oddImaginary = bImaginary[line] + dImaginary[line];
            double acrossReal = aReal[line] - cReal[line];
            double acrossImaginary = aImaginary[line] - cImaginary[line];
            double turnedReal = dImaginary[line] - bImaginary[line]; // i times the difference
            double turnedImaginary = bReal[line] - dReal[line];
            sumReal[line] = evenReal + oddReal;
            sumImaginary[line] = evenImaginary + oddImaginary;
            double real = evenReal - oddReal;
            double imaginary = evenImaginary - oddImaginary;
            differenceReal[line] = real * cosine - imaginary * sine;
            differenceImaginary[line] = real * sine + imaginary * cosine;
            double upReal = acrossReal + turnedReal;
            double upImaginary = acrossImaginary + turnedImaginary;
            plusReal[line] = upReal * plusCosine - upImaginary * plusSine;
            plusImaginary[line] = upReal * plusSine + upImaginary * plusCosine;
            double downReal = acrossReal - turnedReal;
            double downImaginary = acrossImaginary - turnedImaginary;
            minusReal[line] = downReal * minusCosine - downImaginary * minusSine;
            minusImaginary[line] = downReal * minusSine + downImaginary * minusCosine;
        }
    }

    private static void add(double[] one, double[] two, double[] sum, double[] difference, int lines) {
        for (int line = 0; line < lines; line++) {
            double first = one[line];
            double second = two[line];
            sum[line] = first + second;
            difference[line] = first - second;
        }
    }
}
