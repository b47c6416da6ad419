package org.galerna.applications.cosmology;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.imageio.ImageIO;
import mpi.Intracomm;
import org.galerna.applications.picture.DensityPicture;
import org.galerna.applications.picture.GifAnimation;
import org.jspecify.annotations.Nullable;

/** The pictures of a run. All ranks call it; rank 0 draws. Not thread-safe. */
final class Film implements AutoCloseable {
    /** Points of a map along an edge. */
    static final int SIZE = 640;

    /** Pictures of the film are coarser. */
    private static final int ZOOM = 2;

    private static final int FRAME_MILLISECONDS = 100;
    private static final int LAST_FRAME_TIMES = 8;

    private final Path folder;
    private final DensityMap fineMap;
    private final DensityPicture finePicture;
    private final DensityMap coarseMap;
    private final DensityPicture coarsePicture;
    private final boolean draws;
    private @Nullable GifAnimation animation;
    private @Nullable BufferedImage last;

    /** In a folder, which is there. */
    Film(Path folder, Intracomm ranks, double box) {
        this.folder = folder;
        this.fineMap = new DensityMap(ranks, SIZE);
        this.finePicture = new DensityPicture(SIZE, 1, box);
        this.coarseMap = new DensityMap(ranks, SIZE / ZOOM);
        this.coarsePicture = new DensityPicture(SIZE / ZOOM, ZOOM, box);
        this.draws = ranks.Rank() == 0;
    }

    /** Adds the universe as it is. */
    void add(Universe universe) {
        BufferedImage frame = draw(coarseMap, coarsePicture, universe);
        if (!draws) {
            return;
        }
        try {
            if (animation == null) {
                animation = new GifAnimation(folder.resolve("cosmology.gif"), FRAME_MILLISECONDS);
            }
            animation.add(frame);
            last = frame;
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    /** Draws the universe as it is as {@code density.png}. */
    void drawStill(Universe universe) {
        BufferedImage image = draw(fineMap, finePicture, universe);
        if (!draws) {
            return;
        }
        try {
            Path file = folder.resolve("density.png");
            Files.deleteIfExists(file);
            if (!ImageIO.write(image, "png", file.toFile())) {
                throw new IOException("there is no writer for PNG");
            }
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    private static BufferedImage draw(DensityMap map, DensityPicture picture, Universe universe) {
        double[] density = map.draw(universe);
        return picture.draw(density, String.format(Locale.ROOT, "z = %.2f", 1 / universe.scaleFactor() - 1));
    }

    private UncheckedIOException failed(IOException failure) {
        return new UncheckedIOException("cannot write to " + folder + ": " + failure.getMessage(), failure);
    }

    /** Completes the film; its last picture stays for a while. */
    @Override
    public void close() {
        try {
            if (animation != null && last != null) {
                for (int time = 0; time < LAST_FRAME_TIMES; time++) {
                    animation.add(last);
                }
                animation.close();
            }
        } catch (IOException failure) {
            throw failed(failure);
        }
    }
}
