package org.galerna.applications.picture;

import java.awt.image.BufferedImage;

/** Draws a density by its logarithm, with a legend below: a text, a bar of length, and the colours with their numbers. */
public final class DensityPicture {
    private static final int LEGEND_HEIGHT = 58;
    private static final int BAR_TOP = 8;
    private static final int BAR_HEIGHT = 20;
    private static final int BAR_WIDTH = 220;
    private static final int MARK_LENGTH = 4;
    private static final int MARGIN = 16;
    private static final int TEXT_SIZE = 2;
    /** Logarithms of the density at the ends of the colours. */
    private static final double LEAST = -1;

    private static final double MOST = 2;
    private static final String[] MARKS = {"0.1", "1", "10", "100"};

    private final int points;
    private final int zoom;
    /** Pixels along an edge. */
    private final int size;

    private final double box;

    /**
     * For squares.
     *
     * @param points along an edge
     * @param zoom pixels along the edge of a point
     * @param box length of an edge in Mpc/h
     */
    public DensityPicture(int points, int zoom, double box) {
        this.points = points;
        this.zoom = zoom;
        this.size = points * zoom;
        this.box = box;
    }

    /**
     * Draws.
     *
     * @param density in units of the mean, row by row
     * @param text for the legend
     */
    public BufferedImage draw(double[] density, String text) {
        IndexedCanvas canvas = new IndexedCanvas(size, size + LEGEND_HEIGHT, WarmColourMap::colour);
        for (int row = 0; row < points; row++) {
            for (int column = 0; column < points; column++) {
                double logarithm = Math.log10(Math.max(1e-6, density[row * points + column]));
                double value = 2 * (logarithm - LEAST) / (MOST - LEAST) - 1;
                canvas.fill(column * zoom, row * zoom, zoom, zoom, IndexedCanvas.mapColour(value));
            }
        }
        drawLegend(canvas, text);
        return canvas.image();
    }

    private void drawLegend(IndexedCanvas canvas, String text) {
        int textTop = size + BAR_TOP + (BAR_HEIGHT - PixelFont.HEIGHT * TEXT_SIZE) / 2;
        canvas.fill(0, size, size, LEGEND_HEIGHT, IndexedCanvas.BACKGROUND);
        PixelFont.draw(canvas, text, MARGIN, textTop, TEXT_SIZE, IndexedCanvas.TEXT);
        String unit = "x mean";
        int x = size - MARGIN - PixelFont.width(unit, TEXT_SIZE);
        PixelFont.draw(canvas, unit, x, textTop, TEXT_SIZE, IndexedCanvas.TEXT);
        x -= BAR_WIDTH + MARGIN;
        drawColourBar(canvas, x);
        drawLengthBar(canvas, MARGIN + PixelFont.width(text, TEXT_SIZE) + MARGIN, textTop);
    }

    private void drawColourBar(IndexedCanvas canvas, int x) {
        int top = size + BAR_TOP;
        for (int column = 0; column < BAR_WIDTH; column++) {
            int colour = IndexedCanvas.mapColour(2.0 * column / (BAR_WIDTH - 1) - 1.0);
            canvas.fill(x + column, top, 1, BAR_HEIGHT, colour);
        }
        for (int mark = 0; mark < MARKS.length; mark++) {
            int column = x + mark * (BAR_WIDTH - 1) / (MARKS.length - 1);
            int textTop = top + BAR_HEIGHT + MARK_LENGTH + 2;
            canvas.fill(column, top + BAR_HEIGHT, 1, MARK_LENGTH, IndexedCanvas.FAINT_TEXT);
            int left = column - PixelFont.width(MARKS[mark], TEXT_SIZE) / 2;
            PixelFont.draw(canvas, MARKS[mark], left, textTop, TEXT_SIZE, IndexedCanvas.FAINT_TEXT);
        }
    }

    private void drawLengthBar(IndexedCanvas canvas, int from, int textTop) {
        double length = Quantity.roundDown(box / 7);
        int pixels = (int) Math.round(length / box * size);
        int middle = textTop + PixelFont.HEIGHT * TEXT_SIZE / 2;
        canvas.fill(from, middle - 1, pixels, 2, IndexedCanvas.FAINT_TEXT);
        canvas.fill(from, middle - 5, 2, 10, IndexedCanvas.FAINT_TEXT);
        canvas.fill(from + pixels - 2, middle - 5, 2, 10, IndexedCanvas.FAINT_TEXT);
        String label = Quantity.plain(length) + " Mpc/h";
        PixelFont.draw(canvas, label, from + pixels + MARGIN / 2, textTop, TEXT_SIZE, IndexedCanvas.FAINT_TEXT);
    }
}
