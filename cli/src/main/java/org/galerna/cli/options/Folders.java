package org.galerna.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import org.galerna.cli.usage.UsageException;

/** Folders that options name. */
public final class Folders {
    private Folders() {}

    /** Complains of what is no folder, or is not there. */
    public static void check(String option, Path folder) {
        if (!Files.isDirectory(folder)) {
            String wrong = Files.exists(folder) ? " is not a folder" : ": there is no such folder";
            throw new UsageException(option + " " + folder + wrong);
        }
    }
}
