package org.galerna.link.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.nativeaccess.verbs.RdmaCm;
import org.galerna.nativeaccess.verbs.VerbsLibrary;
import org.galerna.testkit.process.ImitatedAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The {@link ImitatedAdapter}, for errors that adapters cannot be made to have. One for the whole process, since it is
 * loaded once.
 */
final class Imitation {
    /** The verbs of the fast path. */
    static final List<String> KINDS = List.of("poll_cq", "post_srq_recv", "post_send");

    /** The option that says how queue pairs are connected. */
    static final String CONNECT = VerbsOptions.PREFIX + "connect";

    static final int ENOMEM = 12;
    static final int EIO = 5;

    private static @Nullable Imitation instance; // guarded by the class

    private final Path library;
    private final MethodHandle fail;
    private final MethodHandle status;
    private final MethodHandle event;
    private final MethodHandle objects;
    private final MethodHandle calls;

    private Imitation(Path path, SymbolLookup library) {
        this.library = path;
        this.fail = bind(library, "fake_fail", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
        this.status = bind(library, "fake_status", FunctionDescriptor.ofVoid(JAVA_INT));
        this.event = bind(library, "fake_event", FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT));
        this.objects = bind(library, "fake_objects", FunctionDescriptor.of(JAVA_INT));
        this.calls = bind(library, "fake_calls", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(SymbolLookup library, String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), descriptor);
    }

    /** The library, in use from now on; without a C compiler and the header the test is skipped. */
    @SuppressWarnings("restricted")
    static synchronized Imitation load() {
        Imitation loaded = instance;
        if (loaded == null) {
            Path library = ImitatedAdapter.compile();
            loaded = new Imitation(library, SymbolLookup.libraryLookup(library, Arena.global()));
            instance = loaded;
        }
        // each time: other tests in this process forget the options
        System.setProperty(VerbsLibrary.PROPERTY, loaded.library.toString());
        System.setProperty(RdmaCm.PROPERTY, loaded.library.toString());
        return loaded;
    }

    /** Has a verb, named without {@code ibv_}, fail once it was called so many times more, until {@link #mend}. */
    void fail(String verb, int after, int error) {
        fail(verb, after, 0, error);
    }

    /** Has the next calls of a verb fail. */
    void failTimes(String verb, int times, int error) {
        fail(verb, 0, times, error);
    }

    private void fail(String verb, int after, int times, int error) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(verb);
            fail.invokeExact(name, after, times, error);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Takes {@link #fail} back. */
    void mend(String verb) {
        fail(verb, 0, 0);
    }

    /** Has the next send complete with a status. */
    void completeNextWith(int value) {
        try {
            status.invokeExact(value);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /**
     * Lets an asynchronous event happen.
     *
     * @param queuePair number of the queue pair that it happens to, or of one of the rank whose adapter it happens to
     */
    void event(int type, int queuePair) {
        try {
            event.invokeExact(type, queuePair);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Objects that were made and not destroyed. */
    int objects() {
        return number(objects);
    }

    /** Calls of a verb of the fast path since this was asked the last time; of {@code poll_cq} those not in vain. */
    int calls(String verb) {
        try {
            return (int) calls.invokeExact(KINDS.indexOf(verb));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static int number(MethodHandle function) {
        try {
            return (int) function.invokeExact();
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
