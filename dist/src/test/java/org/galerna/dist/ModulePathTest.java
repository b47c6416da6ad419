package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolvedModule;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All other tests run on the class path; this one puts the same modules on the module path. */
class ModulePathTest {
    @Test
    void everyLayerIsANamedModuleThatResolves() {
        Path[] modulePath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> !entry.startsWith(Path.of("target").toAbsolutePath()))
                .toArray(Path[]::new);
        Configuration configuration = ModuleLayer.boot()
                .configuration()
                .resolveAndBind(ModuleFinder.of(modulePath), ModuleFinder.of(), Set.of("org.galerna.cli"));

        List<ResolvedModule> layers = configuration.modules().stream()
                .filter(module -> module.name().startsWith("org.galerna."))
                .toList();
        assertThat(layers)
                .extracting(ResolvedModule::name)
                .contains(
                        "org.galerna.memory",
                        "org.galerna.nativeaccess",
                        "org.galerna.link",
                        "org.galerna.device",
                        "org.galerna.collectives",
                        "org.galerna.mpi",
                        "org.galerna.mpj",
                        "org.galerna.sockets",
                        "org.galerna.launch",
                        "org.galerna.applications",
                        "org.galerna.bench",
                        "org.galerna.cli");
        assertThat(layers).noneMatch(module -> module.reference().descriptor().isAutomatic());
    }
}
