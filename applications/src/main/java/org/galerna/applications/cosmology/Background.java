package org.galerna.applications.cosmology;

import java.util.function.DoubleUnaryOperator;

/**
 * An expanding universe of matter, curvature and a cosmological constant. The time is told by the scale factor, which
 * is 1 today; rates are in units of the Hubble constant, times in units of its inverse.
 *
 * @param matter density of matter today, in units of the critical density
 * @param lambda the same of the cosmological constant
 */
record Background(double matter, double lambda) {
    private static final int INTERVALS = 256;

    /** The Hubble rate, by Friedmann's equation. */
    double rate(double scaleFactor) {
        double curvature = 1 - matter - lambda;
        double inverse = 1 / scaleFactor;
        return Math.sqrt((matter * inverse + curvature) * inverse * inverse + lambda);
    }

    /** How far perturbations have grown by linear theory: 1 today. D. J. Heath, MNRAS 179, 1977. */
    double growth(double scaleFactor) {
        return rate(scaleFactor) * growthIntegral(scaleFactor) / (rate(1) * growthIntegral(1));
    }

    /** Logarithmic derivative of the growth by the scale factor. */
    double growthRate(double scaleFactor) {
        double squared = rate(scaleFactor) * rate(scaleFactor);
        double curvature = 1 - matter - lambda;
        double inverse = 1 / scaleFactor;
        double slope = -(1.5 * matter * inverse + curvature) * inverse * inverse / squared;
        double speed = scaleFactor * rate(scaleFactor);
        return slope + scaleFactor / (speed * speed * speed * growthIntegral(scaleFactor));
    }

    /** The integral of da / (aH)^3 from 0, by the square root of a, which makes it smooth. */
    private double growthIntegral(double scaleFactor) {
        double curvature = 1 - matter - lambda;
        return integral(
                root -> {
                    double a = root * root;
                    return 2 * a * a * Math.pow(matter + a * (curvature + a * a * lambda), -1.5);
                },
                0,
                Math.sqrt(scaleFactor));
    }

    /** By how much a momentum moves a particle: the integral of dt / a^2. T. Quinn and others, astro-ph/9710043. */
    double drift(double from, double to) {
        return integral(a -> 1 / (a * a * a * rate(a)), from, to);
    }

    /** By how much a force changes a momentum: the integral of dt / a. */
    double kick(double from, double to) {
        return integral(a -> 1 / (a * a * rate(a)), from, to);
    }

    /** Simpson's rule. */
    private static double integral(DoubleUnaryOperator function, double from, double to) {
        double width = (to - from) / INTERVALS;
        double sum = function.applyAsDouble(from) + function.applyAsDouble(to);
        for (int point = 1; point < INTERVALS; point++) {
            sum += (point % 2 == 1 ? 4 : 2) * function.applyAsDouble(from + point * width);
        }
        return sum * width / 3;
    }
}
