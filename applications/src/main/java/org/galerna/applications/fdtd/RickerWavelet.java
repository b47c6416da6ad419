package org.galerna.applications.fdtd;

/**
 * The pulse of the source: the negative second derivative of a Gaussian, {@code A (1 - 2 a) exp(-a)} with
 * {@code a = (pi f (t - d))^2}. Its spectrum peaks at {@code f} and is negligible above {@code 3 f}.
 *
 * @param frequency peak frequency {@code f} in Hz
 * @param delay time {@code d} of the crest in s
 * @param amplitude value {@code A} of the crest in V/m
 */
public record RickerWavelet(double frequency, double delay, double amplitude) {
    /** Value at a time, in V/m; by {@link StrictMath}, hence the same on every machine. */
    public double at(double seconds) {
        double phase = Math.PI * frequency * (seconds - delay);
        double square = phase * phase;
        return amplitude * (1.0 - 2.0 * square) * StrictMath.exp(-square);
    }

    /** Values at {@code 0, step, 2 step, ...}. */
    public double[] sampled(int count, double step) {
        double[] values = new double[count];
        for (int index = 0; index < count; index++) {
            values[index] = at(index * step);
        }
        return values;
    }
}
