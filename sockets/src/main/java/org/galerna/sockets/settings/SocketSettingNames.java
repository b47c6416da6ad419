package org.galerna.sockets.settings;

import java.util.Set;
import org.galerna.link.settings.SettingNames;

/** The system properties of this module; found by {@code ServiceLoader}. */
public final class SocketSettingNames implements SettingNames {
    /** For {@code ServiceLoader}. */
    public SocketSettingNames() {}

    @Override
    public Set<String> names() {
        return Set.of(
                "galerna.sockets",
                "galerna.sockets.after",
                "galerna.sockets.afterBytes",
                "galerna.sockets.connections",
                "galerna.sockets.exclude",
                "galerna.sockets.include",
                "galerna.sockets.key",
                "galerna.sockets.log",
                "galerna.sockets.pipes",
                "galerna.sockets.ring",
                "galerna.sockets.stats");
    }
}
