package org.galerna.applications.fdtd;

import java.awt.geom.Point2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Locale;
import java.util.Optional;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.galerna.applications.picture.FieldPicture;
import org.galerna.applications.picture.GifAnimation;
import org.jspecify.annotations.Nullable;

/** The pictures of a run, on the rank that draws them. Not thread-safe. */
final class Album implements AutoCloseable {
    private static final int FRAME_MILLISECONDS = 80;
    /** A frame's scale is at least this part of the one before, so that an animation does not flicker. */
    private static final double SCALE_DECAY = 0.85;

    private final Path folder;
    private final Parameters parameters;
    private final FieldPicture picture;
    private @Nullable GifAnimation animation;
    private int frames;
    private double frameScale;

    /** Of fields with {@code columns} by {@code rows} samples at a distance of {@code pitch} cells. */
    Album(Path folder, Simulation simulation, int columns, int rows, int pitch) {
        this.folder = folder;
        this.parameters = simulation.parameters();
        BitSet obstacles = new BitSet(columns * rows);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                obstacles.set(row * columns + column, simulation.obstacles().isConductor(column * pitch, row * pitch));
            }
        }
        Tile region = parameters.source().region();
        Point2D source = new Point2D.Double(
                (region.x() + region.width() / 2.0) / pitch, (region.y() + region.height() / 2.0) / pitch);
        this.picture = new FieldPicture(columns, rows, pitch * parameters.cellSize(), obstacles, Optional.of(source));
    }

    /** Removes the frames of an earlier run, which may have had more of them. */
    void removeOldFrames() {
        try (var old = Files.newDirectoryStream(folder, "frame-*.png")) {
            for (Path file : old) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove old frames in " + folder, failure);
        }
    }

    /** Draws the field after {@code step} steps as {@code field.png}. */
    Path drawField(double[] field, int step) {
        Path file = folder.resolve("field.png");
        double scale = parameters.pictureScale().orElseGet(() -> FieldPicture.scaleFor(field));
        write(picture.draw(field, scale, step * parameters.timeStep()), file);
        return file;
    }

    /** Draws the field after {@code step} steps as the next frame. */
    void drawFrame(double[] field, int step) {
        frameScale = parameters.pictureScale().orElseGet(() -> nextScale(field));
        BufferedImage frame = picture.draw(field, frameScale, step * parameters.timeStep());
        frames++;
        write(frame, folder.resolve(String.format(Locale.ROOT, "frame-%04d.png", frames)));
        try {
            if (animation == null) {
                animation = new GifAnimation(folder.resolve("field.gif"), FRAME_MILLISECONDS);
            }
            animation.add(frame);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write the animation in " + folder, failure);
        }
    }

    private double nextScale(double[] field) {
        return Math.max(FieldPicture.scaleFor(field), SCALE_DECAY * frameScale);
    }

    private static void write(BufferedImage image, Path file) {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ImageWriteParam parameters = writer.getDefaultWriteParam();
        parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        parameters.setCompressionQuality(0.0f);
        try {
            Files.deleteIfExists(file);
            try (ImageOutputStream output = ImageIO.createImageOutputStream(file.toFile())) {
                writer.setOutput(output);
                writer.write(null, new IIOImage(image, null, null), parameters);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        } finally {
            writer.dispose();
        }
    }

    @Override
    public void close() {
        if (animation != null) {
            try {
                animation.close();
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot write the animation in " + folder, failure);
            }
        }
    }
}
