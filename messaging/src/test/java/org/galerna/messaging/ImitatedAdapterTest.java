package org.galerna.messaging;

import java.nio.file.Path;
import java.util.List;
import org.galerna.testkit.process.ImitatedAdapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Nodes in one process over the imitation of an adapter. */
class ImitatedAdapterTest extends VerbsSuite {
    private static final List<String> LIBRARIES = List.of("galerna.verbs.library", "galerna.verbs.cm.library");

    @BeforeAll
    static void load() {
        Path library = ImitatedAdapter.compile();
        LIBRARIES.forEach(name -> System.setProperty(name, library.toString()));
    }

    @AfterAll
    static void unload() {
        LIBRARIES.forEach(System::clearProperty);
    }
}
