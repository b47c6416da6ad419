package org.galerna.applications.picture;

/**
 * The Oklab space of colours (B. Ottosson, "A perceptual color space for image processing", 2020), in which equal steps
 * look equally large.
 */
final class Oklab {
    private Oklab() {}

    /** The largest chroma that sRGB can show at a lightness and hue. */
    static double largestChroma(double lightness, double hue) {
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

    /** To {@code 0xRRGGBB}; what sRGB cannot show is cut off. */
    static int toRgb(double lightness, double a, double b) {
        int rgb = 0;
        for (double component : toLinear(lightness, a, b)) {
            double clamped = Math.clamp(component, 0.0, 1.0);
            double encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * Math.pow(clamped, 1 / 2.4) - 0.055;
            rgb = (rgb << 8) | (int) Math.round(255 * encoded);
        }
        return rgb;
    }
}
