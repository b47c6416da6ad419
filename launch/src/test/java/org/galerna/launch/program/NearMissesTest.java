package org.galerna.launch.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NearMissesTest {
    @Test
    void theNearestComeFirst() {
        List<String> candidates = List.of("b.Helo", "a.Hello", "a.package-info", "a.Help", "Unrelated", "c.hello");
        assertThat(NearMisses.similar("Hello", candidates)).containsExactly("a.Hello", "c.hello", "b.Helo");
        assertThat(NearMisses.similar("x.Y", candidates)).isEmpty();
    }

    @Test
    void aClassInAFolderBelowIsFoundThere(@TempDir Path folder) throws IOException {
        Programs.compile(folder.resolve("classes"), "public class Main {}");
        Programs.compile(folder, "package app; public class Other {}");
        try (ClassPath path = ClassPath.open(List.of(folder))) {
            assertThat(NearMisses.describe("Main", path))
                    .endsWith("; it is in folder " + folder.resolve("classes") + ": give -cp "
                            + folder.resolve("classes"));
            assertThat(NearMisses.describe("Other", path)).endsWith("; did you mean app.Other?");
        }
    }
}
