package org.galerna.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import org.junit.jupiter.api.Test;

class ClassPathOfLauncherTest {
    private static String path(String... entries) {
        return String.join(File.pathSeparator, entries);
    }

    @Test
    void whatIsNotGalernaIsTheProgram() {
        assertThat(ClassPathOfLauncher.without(path("classes", "/lib/galerna.jar", "a.jar"), "/lib/galerna.jar"))
                .contains(path("classes", "a.jar"));
    }

    @Test
    void thereMayBeNoProgram() {
        assertThat(ClassPathOfLauncher.without("/lib/galerna.jar", "/lib/galerna.jar"))
                .isEmpty();
        assertThat(ClassPathOfLauncher.without("", "")).isEmpty();
    }
}
