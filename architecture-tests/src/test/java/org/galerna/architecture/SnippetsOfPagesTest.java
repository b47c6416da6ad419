package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.galerna.testkit.pages.PageBlock;
import org.galerna.testkit.pages.Pages;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources in Java that pages show can be compiled. */
class SnippetsOfPagesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** How a source says that it is for another library. */
    private static final String FOREIGN = "// Open MPI";

    private static final String FRAGMENT = """
            import java.net.*;
            import java.nio.*;
            import java.time.Duration;
            import java.util.*;
            import java.util.concurrent.*;
            import mpi.*;
            import org.galerna.messaging.*;
            import org.galerna.ranks.*;
            import org.galerna.sockets.*;

            class NAME {
                void run() throws Exception {
            CONTEXT
            TEXT
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void sourcesOnPagesCompile() {
        List<PageBlock> sources = Pages.of(ROOT).stream()
                .flatMap(page -> Pages.blocks(page).stream())
                .filter(block -> block.isJava() && !block.text().startsWith(FOREIGN))
                .toList();
        assertThat(sources).hasSizeGreaterThan(8);
        List<String> broken = new ArrayList<>();
        for (int index = 0; index < sources.size(); index++) {
            PageBlock source = sources.get(index);
            try {
                Programs.compile(folder.resolve("snippet" + index), unit(source, "Snippet" + index));
            } catch (AssertionError failure) {
                broken.add(source.place() + ": " + failure.getMessage());
            }
        }
        assertThat(broken).isEmpty();
    }

    /** A source with a class of its own stands alone; anything else belongs into a method. */
    private static String unit(PageBlock source, String name) {
        boolean whole = source.lines().stream().anyMatch(line -> line.matches("(public )?(final )?class .*"));
        return whole
                ? source.text()
                : FRAGMENT.replace("NAME", name)
                        .replace("CONTEXT", source.context())
                        .replace("TEXT", source.text());
    }
}
