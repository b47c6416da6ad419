package org.galerna.messaging;

import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Three nodes over links that are other people's libraries. */
@Tag("slow")
class LibraryNodesTest {
    private static void needs(String link) {
        LinkProvider.named(link)
                .unavailable(InProcessWireup.create(2, (_, _, _) -> {}).getFirst())
                .ifPresent(Assumptions::abort);
    }

    @Nested
    class OverUcx extends VerbsSuite {
        @BeforeEach
        void needsTheLibrary() {
            needs(link());
        }

        @Override
        String link() {
            return "ucx";
        }
    }

    @Nested
    class OverLibfabric extends VerbsSuite {
        @BeforeEach
        void needsTheLibrary() {
            needs(link());
        }

        @Override
        String link() {
            return "ofi";
        }
    }
}
