package org.galerna.applications.picture;

/**
 * Colours for values around zero: one hue for negative, one for positive values, growing away from a neutral centre.
 *
 * <p>The colours are computed in the Oklab space (B. Ottosson, "A perceptual color space for image processing", 2020),
 * in which equal steps look equally large. Along each arm lightness changes evenly from the centre to the end, the same
 * on both sides, so that neither sign looks stronger; the hue is fixed, and the chroma rises to the most that both arms
 * have in sRGB.
 */
public final class DivergingColourMap {
    private static final double CENTRE_LIGHTNESS = 0.17;
    private static final double END_LIGHTNESS = 0.93;
    private static final double NEGATIVE_HUE = Math.toRadians(235);
    private static final double POSITIVE_HUE = Math.toRadians(55);

    private DivergingColourMap() {}

    /**
     * The colour of a value as {@code 0xRRGGBB}.
     *
     * @param value -1 to 1; what lies outside gets the colour of the nearest end
     */
    public static int colour(double value) {
        double magnitude = Math.min(Math.abs(value), 1.0);
        double lightness = CENTRE_LIGHTNESS + (END_LIGHTNESS - CENTRE_LIGHTNESS) * magnitude;
        double hue = value < 0 ? NEGATIVE_HUE : POSITIVE_HUE;
        double chroma = Math.min(
                0.16 * Math.sin(Math.PI * Math.pow(magnitude, 0.85)) + 0.04 * magnitude,
                0.98 * Math.min(largestChroma(lightness, NEGATIVE_HUE), largestChroma(lightness, POSITIVE_HUE)));
        return toRgb(lightness, chroma * Math.cos(hue), chroma * Math.sin(hue));
    }

    /** The largest chroma that sRGB can show at a lightness and hue. */
    private static double largestChroma(double lightness, double hue) {
        double inside = 0;
        double outside = 0.4;
        for (int halving = 0; halving < 20; halving++) {
            double middle = (inside + outside) / 2;
            if (isInGamut(toLinear(lightness, middle * Math.cos(hue), middle * Math.sin(hue)))) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        return inside;
    }

    private static boolean isInGamut(double[] linear) {
        for (double component : linear) {
            if (component < 0 || component > 1) {
                return false;
            }
        }
        return true;
    }

    /** Oklab to linear sRGB, with the matrices of the publication. */
    private static double[] toLinear(double lightness, double a, double b) {
        double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
        double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
        double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
        return new double[] {
            4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s
        };
    }

    private static double cube(double value) {
        return value * value * value;
    }

    private static int toRgb(double lightness, double a, double b) {
        int rgb = 0;
        for (double component : toLinear(lightness, a, b)) {
            double clamped = Math.clamp(component, 0.0, 1.0);
            double encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * Math.pow(clamped, 1 / 2.4) - 0.055;
            rgb = (rgb << 8) | (int) Math.round(255 * encoded);
        }
        return rgb;
    }
}
