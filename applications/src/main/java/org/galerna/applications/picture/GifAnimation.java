package org.galerna.applications.picture;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOInvalidTreeException;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** A sequence of pictures in one GIF file that plays without end. Not thread-safe. */
public final class GifAnimation implements AutoCloseable {
    private static final String FORMAT = "javax_imageio_gif_image_1.0";

    private final ImageWriter writer;
    private final ImageOutputStream output;
    private final int delayHundredths;
    private boolean first = true;

    /**
     * Creates or replaces a file.
     *
     * @param delayMilliseconds time from one picture to the next, in steps of 10 ms
     */
    public GifAnimation(Path file, int delayMilliseconds) throws IOException {
        Files.deleteIfExists(file);
        this.writer = ImageIO.getImageWritersByFormatName("gif").next();
        this.output = ImageIO.createImageOutputStream(file.toFile());
        this.delayHundredths = delayMilliseconds / 10;
        writer.setOutput(output);
        writer.prepareWriteSequence(null);
    }

    /** Appends a picture; all must have the same size and a palette. */
    public void add(BufferedImage picture) throws IOException {
        IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(picture), null);
        describe(metadata);
        writer.writeToSequence(new IIOImage(picture, null, metadata), null);
        first = false;
    }

    private void describe(IIOMetadata metadata) throws IIOInvalidTreeException {
        IIOMetadataNode root = new IIOMetadataNode(FORMAT);
        IIOMetadataNode control = new IIOMetadataNode("GraphicControlExtension");
        control.setAttribute("disposalMethod", "none");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("delayTime", Integer.toString(delayHundredths));
        control.setAttribute("transparentColorIndex", "0");
        root.appendChild(control);
        if (first) {
            // the Netscape extension: sub-block 1, repeat count 0 for ever
            IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
            loop.setAttribute("applicationID", "NETSCAPE");
            loop.setAttribute("authenticationCode", "2.0");
            loop.setUserObject(new byte[] {1, 0, 0});
            IIOMetadataNode extensions = new IIOMetadataNode("ApplicationExtensions");
            extensions.appendChild(loop);
            root.appendChild(extensions);
        }
        metadata.mergeTree(FORMAT, root);
    }

    /** Completes the file. */
    @Override
    public void close() throws IOException {
        try {
            writer.endWriteSequence();
        } finally {
            writer.dispose();
            output.close();
        }
    }
}
