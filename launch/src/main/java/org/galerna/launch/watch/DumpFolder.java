package org.galerna.launch.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.galerna.link.process.TemporaryFolder;
import org.jspecify.annotations.Nullable;

/** Where the virtual machine writes a list of its threads: one folder for a process, which goes with it. */
final class DumpFolder {
    /** Name of the file that a list of threads is written to. */
    static final String DUMP = "threads.json";

    private static @Nullable Path own; // guarded by the class

    private DumpFolder() {}

    /** The folder of this process. */
    static synchronized Path ofProcess() throws IOException {
        Path known = own;
        if (known != null && Files.isDirectory(known)) {
            return known;
        }
        Path folder = TemporaryFolder.make("dumps").untilEnd().path();
        own = folder;
        return folder;
    }
}
