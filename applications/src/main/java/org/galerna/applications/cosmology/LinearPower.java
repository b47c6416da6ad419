package org.galerna.applications.cosmology;

/**
 * The power spectrum that linear theory has today: a power law times the transfer function of D. J. Eisenstein and W. Hu
 * without the wiggles of baryons (ApJ 496, 1998, equations 26 and 28 to 31), with a given variance in spheres of 8 Mpc/h.
 */
final class LinearPower {
    private static final double BARYONS = 0.049;
    private static final double HUBBLE = 0.68;
    private static final double INDEX = 0.965;
    private static final double SIGMA_8 = 0.81;
    private static final double TEMPERATURE = 2.7255 / 2.7;
    private static final double RADIUS = 8;
    private static final double LEAST = Math.log(1e-4);
    private static final double MOST = Math.log(50);
    private static final int POINTS = 4000;

    private final double shape;
    private final double soundHorizon;
    private final double suppression;
    private final double amplitude;

    /** Of a universe with Planck's parameters, but for the matter. */
    LinearPower(Background background) {
        double matter = background.matter() * HUBBLE * HUBBLE;
        double part = BARYONS / background.matter();
        this.shape = background.matter() * HUBBLE;
        this.soundHorizon =
                44.5 * Math.log(9.83 / matter) / Math.sqrt(1 + 10 * Math.pow(BARYONS * HUBBLE * HUBBLE, 0.75)) * HUBBLE;
        this.suppression = 1 - 0.328 * Math.log(431 * matter) * part + 0.38 * Math.log(22.3 * matter) * part * part;
        this.amplitude = SIGMA_8 * SIGMA_8 / variance();
    }

    /**
     * Power in (Mpc/h)^3.
     *
     * @param wave wave number in h/Mpc
     */
    double at(double wave) {
        return amplitude * unscaled(wave);
    }

    private double unscaled(double wave) {
        double transfer = transfer(wave);
        return Math.pow(wave, INDEX) * transfer * transfer;
    }

    private double transfer(double wave) {
        double ratio = 0.43 * wave * soundHorizon;
        double effective = shape * (suppression + (1 - suppression) / (1 + ratio * ratio * ratio * ratio));
        double q = wave * TEMPERATURE * TEMPERATURE / effective;
        double logarithm = Math.log(2 * Math.E + 1.8 * q);
        return logarithm / (logarithm + (14.2 + 731 / (1 + 62.5 * q)) * q * q);
    }

    private double variance() {
        double width = (MOST - LEAST) / POINTS;
        double sum = 0;
        for (int point = 0; point < POINTS; point++) {
            double wave = Math.exp(LEAST + (point + 0.5) * width);
            double x = wave * RADIUS;
            double window = 3 * (Math.sin(x) - x * Math.cos(x)) / (x * x * x);
            sum += wave * wave * wave * unscaled(wave) * window * window;
        }
        return sum * width / (2 * Math.PI * Math.PI);
    }
}
