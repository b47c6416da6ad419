package org.galerna.launch;

import java.util.Set;
import org.galerna.link.settings.SettingNames;

/** The system properties of this module; found by {@code ServiceLoader}. */
public final class LaunchSettingNames implements SettingNames {
    /** For {@code ServiceLoader}. */
    public LaunchSettingNames() {}

    @Override
    public Set<String> names() {
        return Set.of(
                "galerna.deadlock.timeout",
                "galerna.explain",
                "galerna.launcher.agent",
                "galerna.pmix.library",
                "galerna.procs",
                "galerna.ranks",
                "galerna.verbose",
                "galerna.wireup.folder");
    }
}
