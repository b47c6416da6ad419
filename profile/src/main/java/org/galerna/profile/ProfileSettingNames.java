package org.galerna.profile;

import java.util.Set;
import org.galerna.link.settings.SettingNames;

/** The system properties of this module; found by {@code ServiceLoader}. */
public final class ProfileSettingNames implements SettingNames {
    /** For {@code ServiceLoader}. */
    public ProfileSettingNames() {}

    @Override
    public Set<String> names() {
        return Set.of(ProfileSettings.FOLDER, ProfileSettings.AFTER);
    }
}
