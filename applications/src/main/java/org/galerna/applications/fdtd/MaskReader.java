package org.galerna.applications.fdtd;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** Reads obstacles from pictures: dark pixels are perfect conductors. */
final class MaskReader {
    private MaskReader() {}

    /**
     * Reads a picture, stretched to the grid by taking the nearest pixel of every cell. Transparent pixels are free
     * space.
     *
     * @param threshold pixels darker than this (0 black, 1 white) are conductors
     * @throws ParameterException if the file is missing or not a picture
     */
    static Obstacles read(Path file, int width, int height, double threshold) {
        BufferedImage picture = decode(file);
        Obstacles obstacles = Obstacles.walls(width, height);
        for (int y = 0; y < height; y++) {
            int row = (int) ((y + 0.5) * picture.getHeight() / height);
            for (int x = 0; x < width; x++) {
                int column = (int) ((x + 0.5) * picture.getWidth() / width);
                if (brightness(picture.getRGB(column, row)) < threshold) {
                    obstacles.add(x, y);
                }
            }
        }
        return obstacles;
    }

    private static BufferedImage decode(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new ParameterException("mask of the obstacles " + file + " does not exist");
        }
        try {
            BufferedImage picture = ImageIO.read(file.toFile());
            if (picture != null) {
                return picture;
            }
        } catch (IOException failure) {
            throw new ParameterException("mask of the obstacles " + file + " cannot be read: " + failure.getMessage());
        }
        throw new ParameterException(
                "mask of the obstacles " + file + " is not a picture in PNG, GIF, BMP or JPEG format");
    }

    /** 0 black to 1 white, over white where the pixel is transparent. */
    private static double brightness(int argb) {
        double alpha = (argb >>> 24) / 255.0;
        int weighted = 2126 * ((argb >> 16) & 0xff) + 7152 * ((argb >> 8) & 0xff) + 722 * (argb & 0xff);
        return alpha * weighted / (10_000.0 * 255.0) + (1.0 - alpha);
    }
}
