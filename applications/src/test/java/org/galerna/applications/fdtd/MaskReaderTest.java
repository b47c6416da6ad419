package org.galerna.applications.fdtd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MaskReaderTest {
    @TempDir
    Path folder;

    private Path write(BufferedImage image) throws IOException {
        Path file = folder.resolve("mask.png");
        ImageIO.write(image, "png", file.toFile());
        return file;
    }

    private static BufferedImage white(int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, 0xffffff);
            }
        }
        return image;
    }

    private static int walls(int width, int height) {
        return 2 * width + 2 * height - 4;
    }

    @Test
    void darkPixelsBecomeConductors() throws IOException {
        BufferedImage image = white(20, 10);
        image.setRGB(5, 4, 0x000000);
        image.setRGB(6, 4, 0x606060);
        image.setRGB(7, 4, 0xa0a0a0);
        Obstacles obstacles = MaskReader.read(write(image), 20, 10, 0.5);
        assertThat(obstacles.isConductor(5, 4)).isTrue();
        assertThat(obstacles.isConductor(6, 4)).isTrue();
        assertThat(obstacles.isConductor(7, 4)).isFalse();
        assertThat(obstacles.count()).isEqualTo(walls(20, 10) + 2);
        assertThat(MaskReader.read(write(image), 20, 10, 0.2).count()).isEqualTo(walls(20, 10) + 1);
        assertThat(MaskReader.read(write(image), 20, 10, 1.0).count()).isEqualTo(walls(20, 10) + 3);
    }

    @Test
    void aMaskIsStretchedToTheGrid() throws IOException {
        BufferedImage image = white(10, 5);
        image.setRGB(4, 2, 0);
        Obstacles obstacles = MaskReader.read(write(image), 40, 20, 0.5);
        assertThat(obstacles.count()).isEqualTo(walls(40, 20) + 16);
        assertThat(obstacles.isConductor(16, 8)).isTrue();
        assertThat(obstacles.isConductor(19, 11)).isTrue();
        assertThat(obstacles.isConductor(20, 11)).isFalse();
    }

    @Test
    void transparentPixelsAreFreeSpace() throws IOException {
        BufferedImage image = new BufferedImage(10, 10, BufferedImage.TYPE_INT_ARGB);
        image.setRGB(5, 5, 0xff000000);
        assertThat(MaskReader.read(write(image), 10, 10, 0.5).count()).isEqualTo(walls(10, 10) + 1);
    }

    @Test
    void saysWhatIsWrongWithAFile() throws IOException {
        Path text = Files.writeString(folder.resolve("text.png"), "no picture");
        assertThatThrownBy(() -> MaskReader.read(text, 10, 10, 0.5))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("text.png is not a picture");
        assertThatThrownBy(() -> MaskReader.read(folder.resolve("missing.png"), 10, 10, 0.5))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("missing.png does not exist");
    }

    @Test
    void obstaclesSurviveBeingSentAsWords() {
        Obstacles obstacles = Obstacles.walls(13, 11);
        obstacles.add(6, 7);
        Obstacles copy = Obstacles.ofWords(13, 11, obstacles.toWords());
        assertThat(copy.toWords()).isEqualTo(obstacles.toWords()).hasSize(Obstacles.wordCount(13, 11));
        assertThat(copy.isConductor(6, 7)).isTrue();
    }

    @Test
    void runsOfARowAreCutAtTheTile() {
        Obstacles obstacles = Obstacles.walls(20, 10);
        for (int x = 4; x < 9; x++) {
            obstacles.add(x, 3);
        }
        obstacles.add(12, 3);
        assertThat(obstacles.runs(new Tile(0, 0, 20, 10), 3)).containsExactly(0, 1, 4, 9, 12, 13, 19, 20);
        assertThat(obstacles.runs(new Tile(6, 2, 7, 4), 1)).containsExactly(0, 3, 6, 7);
        assertThat(obstacles.runs(new Tile(9, 3, 3, 1), 0)).isEmpty();
        assertThat(obstacles.runs(new Tile(5, 9, 10, 1), 0)).containsExactly(0, 10);
    }
}
