package org.galerna.launch.watch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the virtual machine writes a list of its threads. One folder for a process, which goes with it. A process that is killed, or
 * halted, leaves its folder behind. The agent that has started it removes the folder, or else the next process that needs one.
 */
public final class DumpFolder {
    /** Name of the file that a list of threads is written to. */
    static final String DUMP = "threads.json";

    private static final String PREFIX = "galerna-threads-";

    private static @Nullable Path own; // guarded by the class

    private DumpFolder() {}

    /** The folder of this process. */
    static synchronized Path ofProcess() throws IOException {
        Path known = own;
        if (known != null && Files.isDirectory(known)) {
            return known;
        }
        Path folder = Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
        folder.toFile().deleteOnExit(); // after the file in it
        folder.resolve(DUMP).toFile().deleteOnExit();
        own = folder;
        removeAbandoned(folder.toAbsolutePath().resolveSibling(""));
        return folder;
    }

    /** Removes the folder of this process, which is about to be halted. */
    public static synchronized void removeOwn() {
        if (own != null) {
            try {
                remove(own);
            } catch (IOException inUse) {
                // a thread is writing there; the next process that needs a folder removes this one
                return;
            }
        }
    }

    /** Removes the folders of processes that are gone. */
    public static void removeAbandoned(Path parent) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path each : folders) {
                if (isAbandoned(each.getFileName().toString())) {
                    remove(each);
                }
            }
        } catch (IOException notNow) {
            // the next process tries again
        }
    }

    private static boolean isAbandoned(String name) {
        try {
            String process = name.substring(PREFIX.length()).split("-", 2)[0];
            return ProcessHandle.of(Long.parseLong(process)).isEmpty();
        } catch (NumberFormatException anothers) {
            return false;
        }
    }

    private static void remove(Path folder) throws IOException {
        for (Path each : List.of(folder.resolve(DUMP), folder)) {
            Files.deleteIfExists(each);
        }
    }
}
