package org.galerna.applications.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.geom.Point2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FieldPictureTest {
    private static int rgb(BufferedImage image, int x, int y) {
        return image.getRGB(x, y) & 0xffffff;
    }

    @Test
    void drawsFieldAndObstaclesCellByCell() {
        BitSet obstacles = new BitSet();
        for (int x = 0; x < 3; x++) {
            obstacles.set(10 * 800 + x);
            obstacles.set(11 * 800 + x);
            obstacles.set(12 * 800 + x);
        }
        double[] field = new double[800 * 400];
        field[20 * 800 + 30] = 2.0;
        field[20 * 800 + 31] = -2.0;
        BufferedImage image = new FieldPicture(800, 400, 0.1, obstacles, Optional.empty()).draw(field, 2.0, 1e-9);
        assertThat(image.getWidth()).isEqualTo(800);
        assertThat(image.getHeight()).isGreaterThan(400);
        assertThat(rgb(image, 30, 20)).isEqualTo(DivergingColourMap.colour(1));
        assertThat(rgb(image, 31, 20)).isEqualTo(DivergingColourMap.colour(-1));
        assertThat(rgb(image, 32, 20)).isEqualTo(DivergingColourMap.colour(0));
        assertThat(rgb(image, 1, 11)).isNotEqualTo(rgb(image, 2, 11)).isNotEqualTo(rgb(image, 40, 40));
    }

    @Test
    void aRingMarksTheSource() {
        double[] field = new double[800 * 400];
        Point2D source = new Point2D.Double(100, 50);
        BufferedImage without = new FieldPicture(800, 400, 0.1, new BitSet(), Optional.empty()).draw(field, 2.0, 1e-9);
        BufferedImage with = new FieldPicture(800, 400, 0.1, new BitSet(), Optional.of(source)).draw(field, 2.0, 1e-9);
        assertThat(rgb(with, 100, 50)).isEqualTo(rgb(without, 100, 50));
        assertThat(rgb(with, 107, 50)).isEqualTo(0xe8eaed);
        assertThat(rgb(with, 100, 43)).isEqualTo(0xe8eaed);
        assertThat(rgb(with, 115, 50)).isEqualTo(rgb(without, 115, 50));
    }

    /** Ends, quarters and the middle have numbers below: light pixels under the bar, which has none at other places. */
    @Test
    void theColourMapHasNumbers() {
        BufferedImage image =
                new FieldPicture(1440, 10, 0.1, new BitSet(), Optional.empty()).draw(new double[14_400], 6.26e-3, 1e-9);
        BufferedImage other =
                new FieldPicture(1440, 10, 0.1, new BitSet(), Optional.empty()).draw(new double[14_400], 3.13e-3, 1e-9);
        int differences = 0;
        for (int y = 10 + 34; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                differences += image.getRGB(x, y) == other.getRGB(x, y) ? 0 : 1;
            }
        }
        assertThat(differences).isGreaterThan(50);
    }

    @Test
    void smallGridsAreEnlarged() {
        double[] field = new double[50 * 20];
        field[3 * 50 + 7] = 1.0;
        BufferedImage image = new FieldPicture(50, 20, 0.1, new BitSet(), Optional.empty()).draw(field, 1.0, 0);
        assertThat(image.getWidth()).isEqualTo(650);
        assertThat(rgb(image, 7 * 13, 3 * 13)).isEqualTo(DivergingColourMap.colour(1));
        assertThat(rgb(image, 7 * 13 + 12, 3 * 13 + 12)).isEqualTo(DivergingColourMap.colour(1));
        assertThat(rgb(image, 7 * 13 + 13, 3 * 13)).isEqualTo(DivergingColourMap.colour(0));
    }

    @Test
    void theScaleLeavesOutOneInFiveHundred() {
        double[] field = new double[3_000];
        for (int index = 0; index < 1_000; index++) {
            field[index] = index % 2 == 0 ? index + 1 : -index - 1;
        }
        assertThat(FieldPicture.scaleFor(field)).isBetween(996.0, 999.0);
        assertThat(FieldPicture.scaleFor(new double[10])).isZero();
    }

    @Test
    void aFieldWithoutWavesCanBeDrawn() {
        double[] field = new double[700 * 10];
        BufferedImage image = new FieldPicture(700, 10, 1e-9, new BitSet(), Optional.empty()).draw(field, 0.0, 0.0);
        assertThat(rgb(image, 5, 5)).isEqualTo(DivergingColourMap.colour(0));
    }

    @Test
    void quantitiesHaveThreeDigitsAndAPrefix() {
        assertThat(Quantity.format(1.4012e-7, "s")).isEqualTo("140 ns");
        assertThat(Quantity.format(0.00543, "V/m")).isEqualTo("5.43 mV/m");
        assertThat(Quantity.format(9.9999e-7, "s")).isEqualTo("1 \u00b5s");
        assertThat(Quantity.format(20_000, "m")).isEqualTo("20 km");
        assertThat(Quantity.format(0, "s")).isEqualTo("0 s");
        assertThat(Quantity.format(1e-20, "s")).isEqualTo("1.00e-08 ps");
        assertThat(Quantity.format(3e12, "m")).isEqualTo("3.00e+09 km");
        assertThat(Quantity.roundDown(7.3)).isEqualTo(5.0);
        assertThat(Quantity.roundDown(0.024)).isEqualTo(0.02);
        assertThat(Quantity.roundDown(199)).isEqualTo(100.0);
    }

    @Test
    void everyLegendCanBeWritten() {
        for (double value = 1e-30; value < 1e30; value *= 3.7) {
            IndexedCanvas canvas = new IndexedCanvas(300, 20, DivergingColourMap::colour);
            PixelFont.draw(canvas, "Ez  t = " + Quantity.format(value, "s"), 0, 0, 1, IndexedCanvas.TEXT);
            PixelFont.draw(canvas, "+-" + Quantity.format(value, "V/m"), 0, 0, 1, IndexedCanvas.TEXT);
        }
        assertThatThrownBy(() -> PixelFont.draw(new IndexedCanvas(9, 9, DivergingColourMap::colour), "Q", 0, 0, 1, 0))
                .hasMessageContaining("'Q'");
    }

    @Test
    void anAnimationHasAllItsFrames(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("field.gif");
        FieldPicture picture = new FieldPicture(700, 20, 0.1, new BitSet(), Optional.empty());
        try (GifAnimation animation = new GifAnimation(file, 80)) {
            for (int frame = 0; frame < 5; frame++) {
                double[] field = new double[700 * 20];
                field[frame] = 1.0;
                animation.add(picture.draw(field, 1.0, frame));
            }
        }
        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        try (ImageInputStream input = ImageIO.createImageInputStream(file.toFile())) {
            reader.setInput(input);
            assertThat(reader.getNumImages(true)).isEqualTo(5);
            for (int frame = 0; frame < 5; frame++) {
                BufferedImage image = reader.read(frame);
                assertThat(rgb(image, frame, 0)).isEqualTo(DivergingColourMap.colour(1));
                assertThat(rgb(image, frame + 1, 0)).isEqualTo(DivergingColourMap.colour(0));
            }
        }
    }
}
