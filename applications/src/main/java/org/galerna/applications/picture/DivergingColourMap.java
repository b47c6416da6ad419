package org.galerna.applications.picture;

/**
 * Colours for values around zero: one hue for negative, one for positive values, growing away from a neutral centre.
 *
 * <p>The colours are computed in {@link Oklab}. Along each arm lightness changes evenly from the centre to the end, the same
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
                0.98
                        * Math.min(
                                Oklab.largestChroma(lightness, NEGATIVE_HUE),
                                Oklab.largestChroma(lightness, POSITIVE_HUE)));
        return Oklab.toRgb(lightness, chroma * Math.cos(hue), chroma * Math.sin(hue));
    }
}
