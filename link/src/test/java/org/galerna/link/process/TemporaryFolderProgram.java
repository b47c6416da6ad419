package org.galerna.link.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes a folder, or keeps one, and waits; or sweeps. */
final class TemporaryFolderProgram {
    private TemporaryFolderProgram() {}

    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "make" -> {
                Path folder = TemporaryFolder.make("test").path();
                Files.writeString(
                        Files.createDirectories(folder.resolve("of/classes")).resolve("A.class"), "class");
                Files.createSymbolicLink(folder.resolve("link"), Path.of(arguments[1]));
                System.out.println(folder);
            }
            case "keep" -> {
                TemporaryFolder.keep(Path.of(arguments[1]));
                System.out.println("kept");
            }
            case "end" -> {
                System.out.println(TemporaryFolder.make("test").untilEnd().path());
                System.exit(0);
            }
            case "sweep" -> {
                TemporaryFolder.removeStale(Path.of(arguments[1]));
                System.exit(0);
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        int unused = System.in.read();
    }
}
