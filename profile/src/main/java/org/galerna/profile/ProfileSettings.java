package org.galerna.profile;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a process is told to record. */
public final class ProfileSettings {
    /** System property: the folder to which each rank writes its file; no rank records without it. */
    public static final String FOLDER = "galerna.profile.folder";

    private ProfileSettings() {}

    /** The folder for the files of the ranks; empty if nothing is to be recorded. */
    public static Optional<Path> folder() {
        @Nullable String folder = System.getProperty(FOLDER);
        return folder == null || folder.isEmpty() ? Optional.empty() : Optional.of(Path.of(folder));
    }

    /** Name of the file of a rank within the folder. */
    public static String fileOf(int rank) {
        return "rank-" + rank + ".profile";
    }
}
