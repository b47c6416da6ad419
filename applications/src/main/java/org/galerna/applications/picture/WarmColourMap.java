package org.galerna.applications.picture;

/**
 * Colours for amounts, from nearly black over blue and red to light yellow. Lightness grows evenly in {@link Oklab}, so
 * that more always looks brighter.
 */
public final class WarmColourMap {
    private static final double LEAST_LIGHTNESS = 0.10;
    private static final double MOST_LIGHTNESS = 0.97;
    private static final double FIRST_HUE = 275;
    private static final double LAST_HUE = 465; // once around, to yellow

    private WarmColourMap() {}

    /**
     * The colour of a value as {@code 0xRRGGBB}.
     *
     * @param value -1 for nothing to 1 for the most; what lies outside gets the colour of the nearest end
     */
    public static int colour(double value) {
        double part = (Math.clamp(value, -1.0, 1.0) + 1) / 2;
        double lightness = LEAST_LIGHTNESS + (MOST_LIGHTNESS - LEAST_LIGHTNESS) * part;
        double hue = Math.toRadians(FIRST_HUE + (LAST_HUE - FIRST_HUE) * part);
        double chroma = Math.min(
                0.03 + 0.17 * Math.sin(Math.PI * Math.pow(part, 0.9)), 0.98 * Oklab.largestChroma(lightness, hue));
        return Oklab.toRgb(lightness, chroma * Math.cos(hue), chroma * Math.sin(hue));
    }
}
