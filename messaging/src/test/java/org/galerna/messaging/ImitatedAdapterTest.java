package org.galerna.messaging;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.testkit.process.ImitatedAdapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes in one process over the imitation of an adapter. */
class ImitatedAdapterTest extends VerbsSuite {
    private static final List<String> LIBRARIES = List.of("galerna.verbs.library", "galerna.verbs.cm.library");

    private static final int EIO = 5;

    private static Path library = Path.of("");

    @BeforeAll
    static void load() {
        library = ImitatedAdapter.compile();
        LIBRARIES.forEach(name -> System.setProperty(name, library.toString()));
    }

    @AfterAll
    static void unload() {
        LIBRARIES.forEach(System::clearProperty);
    }

    /**
     * Has a verb fail, as the imitation names it, from now on; with error 0 no more. The library stays loaded: it would
     * forget, if no node has opened it yet.
     */
    @SuppressWarnings("restricted")
    private static void fail(String verb, int error) {
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle function = Linker.nativeLinker()
                    .downcallHandle(
                            SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("fake_fail"),
                            FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
            MemorySegment name = arena.allocateFrom(verb);
            function.invokeExact(name, 0, 0, error);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Both nodes have opened their adapters and agreed on verbs when the queue pairs turn out not to work. */
    @Test
    void verbsThatFailAfterTheyWereChosenAreReplacedByTcp() {
        isReplacedByTcp("to RTR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"to INIT", "to RTS", "post_send"})
    @Tag("slow")
    void eachVerbThatFailsIsReplacedByTcp(String verb) {
        isReplacedByTcp(verb);
    }

    private static void isReplacedByTcp(String verb) {
        try (Cluster cluster = new Cluster("verbs")) {
            Map<Integer, String> links = new ConcurrentHashMap<>();
            MessagingNode one = cluster.start(0, node -> answering(node).links("verbs", "tcp"));
            MessagingNode two = cluster.start(
                    1,
                    node -> answering(node).links("verbs", "tcp").listener(new ConnectionListener() {
                        @Override
                        public void onConnected(int node, String link) {
                            links.put(node, link);
                        }
                    }));
            fail(verb, EIO);
            try {
                ask(one, 1, 1, "by another way");
            } finally {
                fail(verb, 0);
            }
            ask(two, 0, 2, "back");
            assertThat(links).containsExactly(Map.entry(0, "tcp"));
            assertThat(one.statistics().fallbacks()).isEqualTo(1);
            assertThat(two.statistics().fallbacks()).isEqualTo(1);
            MessagingNode three = cluster.start(2, node -> answering(node).links("verbs", "tcp"));
            ask(three, 1, 3, "by an adapter that works");
            assertThat(links).containsEntry(2, "verbs");
            assertThat(three.statistics().fallbacks()).isZero();
        }
    }
}
