package org.galerna.link.settings;

import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.galerna.link.Extensions;

/**
 * The names of the system properties that a module reads, found by {@link ServiceLoader}: for modules that those who check
 * names do not know.
 */
public interface SettingNames {
    /** The names, each beginning with {@code galerna.}. */
    Set<String> names();

    /** Those of all modules that are there. */
    static List<String> ofModules() {
        // the class loader of Galerna, as for links
        return Extensions.providers(SettingNames.class)
                .flatMap(provider -> provider.names().stream())
                .toList();
    }
}
