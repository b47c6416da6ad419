package org.galerna.profile;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.galerna.link.settings.Setting;
import org.jspecify.annotations.Nullable;

/** How a process is told to record. */
public final class ProfileSettings {
    /** System property: the folder to which each rank writes its file; no rank records without it. */
    public static final String FOLDER = "galerna.profile.folder";

    /** System property: seconds from the start of a rank until it begins to record; 0 if that is not set. */
    public static final String AFTER = "galerna.profile.after";

    private static final double LATEST = 1e6;

    private static final Setting<Double> SECONDS = Setting.fraction(
            AFTER, "a number of seconds", 0, 0, LATEST, "for how long ranks do not record after their start");

    private ProfileSettings() {}

    /** For how long a rank does not record. */
    public static Duration after() {
        return Duration.ofNanos(Math.round(1e9 * SECONDS.get()));
    }

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
