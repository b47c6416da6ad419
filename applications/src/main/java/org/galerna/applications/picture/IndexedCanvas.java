package org.galerna.applications.picture;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.util.function.DoubleToIntFunction;

/**
 * Pixels with a palette of 256 colours: the colour map on the first {@link #MAP_COLOURS}, then those of obstacles and
 * legend. With a palette a picture is a third of the size, and fits the GIF format without loss.
 */
final class IndexedCanvas {
    /** Colours of the colour map; odd, so that the middle one is zero. */
    static final int MAP_COLOURS = 251;

    static final int OBSTACLE = 251;
    static final int OBSTACLE_EDGE = 252;
    static final int BACKGROUND = 253;
    static final int TEXT = 254;
    static final int FAINT_TEXT = 255;

    private final BufferedImage image;
    private final byte[] pixels;
    private final int width;
    private final int height;

    /** With colours from -1 to 1 as {@code 0xRRGGBB}. */
    IndexedCanvas(int width, int height, DoubleToIntFunction colours) {
        this.image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, colourModel(colours));
        this.pixels = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
        this.width = width;
        this.height = height;
    }

    private static IndexColorModel colourModel(DoubleToIntFunction colours) {
        int[] palette = new int[256];
        for (int index = 0; index < MAP_COLOURS; index++) {
            palette[index] = colours.applyAsInt(2.0 * index / (MAP_COLOURS - 1) - 1.0);
        }
        palette[OBSTACLE] = 0x4a5058;
        palette[OBSTACLE_EDGE] = 0x8b939d;
        palette[BACKGROUND] = 0x16181c;
        palette[TEXT] = 0xe8eaed;
        palette[FAINT_TEXT] = 0x9aa0a8;
        return new IndexColorModel(8, 256, palette, 0, false, -1, DataBuffer.TYPE_BYTE);
    }

    /** The index of the colour of a value from -1 to 1. */
    static int mapColour(double value) {
        int half = MAP_COLOURS / 2;
        return half + (int) Math.rint(half * Math.clamp(value, -1.0, 1.0));
    }

    void set(int x, int y, int colour) {
        pixels[y * width + x] = (byte) colour;
    }

    void fill(int x, int y, int columns, int rows, int colour) {
        for (int row = Math.max(y, 0); row < Math.min(y + rows, height); row++) {
            for (int column = Math.max(x, 0); column < Math.min(x + columns, width); column++) {
                set(column, row, colour);
            }
        }
    }

    BufferedImage image() {
        return image;
    }
}
