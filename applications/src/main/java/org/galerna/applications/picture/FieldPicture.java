package org.galerna.applications.picture;

import java.awt.geom.Point2D;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Draws a field over its obstacles and a ring around its source, with a legend below: time, a bar of length, and the colour
 * map with its numbers.
 *
 * <p>Values are drawn by the square root of their size, with their sign: waves that have spread are a small part of the
 * crest near the source, and would be invisible on a linear scale. The numbers on the colour map show it.
 */
public final class FieldPicture {
    private static final int SMALLEST_WIDTH = 640;
    private static final int LEGEND_HEIGHT = 58;
    private static final int BAR_TOP = 8;
    private static final int BAR_HEIGHT = 20;
    private static final int MARK_LENGTH = 4;
    private static final double RING_RADIUS = 7;
    private static final double[] MARKS = {-1, -0.25, 0, 0.25, 1};
    private static final double[] FEW_MARKS = {-1, 0, 1};
    private static final int MARGIN = 16;
    private static final int TEXT_SIZE = 2;

    private final int columns;
    private final int rows;
    private final double sampleSize;
    private final BitSet obstacles;
    private final int zoom;
    private final Optional<Point2D> source;

    /**
     * For fields of {@code columns} by {@code rows} samples.
     *
     * @param sampleSize distance of two samples in m
     * @param obstacles samples to draw as obstacles, row by row
     * @param source where the waves come from, in samples from the upper left corner; empty for no mark
     */
    public FieldPicture(int columns, int rows, double sampleSize, BitSet obstacles, Optional<Point2D> source) {
        this.source = source;
        this.columns = columns;
        this.rows = rows;
        this.sampleSize = sampleSize;
        this.obstacles = (BitSet) obstacles.clone();
        this.zoom = Math.max(1, (SMALLEST_WIDTH + columns - 1) / columns);
    }

    /**
     * A scale that shows most of a field without clipping: the strength that all but 1 in 500 of its samples stay
     * below; 0 where there is no field at all.
     *
     * @param field samples in V/m
     */
    public static double scaleFor(double[] field) {
        double[] strengths = new double[field.length];
        int used = 0;
        for (double value : field) {
            if (value != 0) {
                strengths[used++] = Math.abs(value);
            }
        }
        if (used == 0) {
            return 0.0;
        }
        Arrays.sort(strengths, 0, used);
        return strengths[(int) ((used - 1) * 0.998)];
    }

    /**
     * Draws.
     *
     * @param field {@code columns * rows} samples in V/m, row by row
     * @param scale field strength at the ends of the colour map, V/m; 0 for a field that is 0 everywhere
     * @param seconds time in the simulation
     */
    public BufferedImage draw(double[] field, double scale, double seconds) {
        IndexedCanvas canvas =
                new IndexedCanvas(columns * zoom, rows * zoom + LEGEND_HEIGHT, DivergingColourMap::colour);
        double end = scale > 0 ? scale : 1.0;
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                canvas.fill(column * zoom, row * zoom, zoom, zoom, colour(field, column, row, end));
            }
        }
        source.ifPresent(place ->
                drawRing(canvas, (int) Math.round(place.getX() * zoom), (int) Math.round(place.getY() * zoom)));
        drawLegend(canvas, end, seconds);
        return canvas.image();
    }

    private int colour(double[] field, int column, int row, double scale) {
        int index = row * columns + column;
        if (!obstacles.get(index)) {
            double relative = field[index] / scale;
            return IndexedCanvas.mapColour(Math.copySign(Math.sqrt(Math.abs(relative)), relative));
        }
        boolean edge = isFree(column - 1, row)
                || isFree(column + 1, row)
                || isFree(column, row - 1)
                || isFree(column, row + 1);
        return edge ? IndexedCanvas.OBSTACLE_EDGE : IndexedCanvas.OBSTACLE;
    }

    private boolean isFree(int column, int row) {
        return column >= 0 && column < columns && row >= 0 && row < rows && !obstacles.get(row * columns + column);
    }

    /** A light ring with a dark one on either side, to be seen on every colour. */
    private static void drawRing(IndexedCanvas canvas, int x, int y) {
        int reach = (int) RING_RADIUS + 3;
        for (int row = -reach; row <= reach; row++) {
            for (int column = -reach; column <= reach; column++) {
                double off = Math.abs(Math.hypot(column, row) - RING_RADIUS);
                if (off < 2.5) {
                    canvas.fill(x + column, y + row, 1, 1, off < 1 ? IndexedCanvas.TEXT : IndexedCanvas.BACKGROUND);
                }
            }
        }
    }

    private void drawLegend(IndexedCanvas canvas, double scale, double seconds) {
        int width = columns * zoom;
        int top = rows * zoom;
        int textTop = top + BAR_TOP + (BAR_HEIGHT - PixelFont.HEIGHT * TEXT_SIZE) / 2;
        canvas.fill(0, top, width, LEGEND_HEIGHT, IndexedCanvas.BACKGROUND);

        String time = "Ez  t = " + Quantity.format(seconds, "s");
        PixelFont.draw(canvas, time, MARGIN, textTop, TEXT_SIZE, IndexedCanvas.TEXT);

        String unit = Quantity.unit(scale, "V/m");
        int barWidth = Math.min(2 * IndexedCanvas.MAP_COLOURS, width * 2 / 5);
        int x = width - MARGIN - PixelFont.width(unit, TEXT_SIZE);
        PixelFont.draw(canvas, unit, x, textTop, TEXT_SIZE, IndexedCanvas.TEXT);
        x -= barWidth + MARGIN / 2;
        drawColourBar(canvas, x, top + BAR_TOP, barWidth, scale);

        int from = MARGIN + PixelFont.width(time, TEXT_SIZE) + 2 * MARGIN;
        int to = x - 2 * MARGIN;
        int next = drawLengthBar(canvas, from, to, textTop);
        if (source.isPresent() && next + 3 * MARGIN + PixelFont.width("source", TEXT_SIZE) < to) {
            drawRing(canvas, next + MARGIN, textTop + PixelFont.HEIGHT * TEXT_SIZE / 2);
            PixelFont.draw(canvas, "source", next + 2 * MARGIN, textTop, TEXT_SIZE, IndexedCanvas.FAINT_TEXT);
        }
    }

    private static void drawColourBar(IndexedCanvas canvas, int x, int y, int width, double scale) {
        for (int column = 0; column < width; column++) {
            double value = 2.0 * column / (width - 1) - 1.0;
            canvas.fill(x + column, y, 1, BAR_HEIGHT, IndexedCanvas.mapColour(value));
        }
        int room = width / (MARKS.length - 1) - MARK_LENGTH;
        int widest = 0;
        for (double relative : MARKS) {
            widest = Math.max(widest, PixelFont.width(label(relative, scale), 1));
        }
        int size = widest * TEXT_SIZE <= room ? TEXT_SIZE : 1;
        for (double relative : widest <= room ? MARKS : FEW_MARKS) {
            double position = Math.copySign(Math.sqrt(Math.abs(relative)), relative);
            int column = x + (int) Math.round((position + 1) / 2 * (width - 1));
            canvas.fill(column, y + BAR_HEIGHT, 1, MARK_LENGTH, IndexedCanvas.FAINT_TEXT);
            String label = label(relative, scale);
            PixelFont.draw(
                    canvas,
                    label,
                    column - PixelFont.width(label, size) / 2,
                    y + BAR_HEIGHT + MARK_LENGTH + 2,
                    size,
                    IndexedCanvas.FAINT_TEXT);
        }
    }

    private static String label(double relative, double scale) {
        return Quantity.number(relative * scale, scale);
    }

    /** A bar whose length is 1, 2 or 5 times a power of ten, where there is room for it; returns where it ends. */
    private int drawLengthBar(IndexedCanvas canvas, int from, int to, int textTop) {
        double pixelSize = sampleSize / zoom;
        double metres = Quantity.roundDown(Math.min(200, (to - from) / 3.0) * pixelSize);
        int pixels = (int) Math.round(metres / pixelSize);
        String label = Quantity.format(metres, "m");
        if (pixels < 8 || from + pixels + MARGIN / 2 + PixelFont.width(label, TEXT_SIZE) > to) {
            return from;
        }
        int middle = textTop + PixelFont.HEIGHT * TEXT_SIZE / 2;
        canvas.fill(from, middle - 1, pixels, 2, IndexedCanvas.FAINT_TEXT);
        canvas.fill(from, middle - 5, 2, 10, IndexedCanvas.FAINT_TEXT);
        canvas.fill(from + pixels - 2, middle - 5, 2, 10, IndexedCanvas.FAINT_TEXT);
        PixelFont.draw(canvas, label, from + pixels + MARGIN / 2, textTop, TEXT_SIZE, IndexedCanvas.FAINT_TEXT);
        return from + pixels + MARGIN / 2 + PixelFont.width(label, TEXT_SIZE) + MARGIN;
    }
}
