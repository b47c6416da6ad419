package org.galerna.launch.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.galerna.launch.report.SignalNames;
import org.galerna.nativeaccess.SignalHandlers;
import org.jspecify.annotations.Nullable;

/**
 * The signals that the program has handlers for. The virtual machine tells nobody. It is to be seen by the system's
 * handlers, which change when the program's first handler of a signal comes; except for those signals that the virtual
 * machine itself handles to end in order, which the program's handlers replace inside of it.
 */
final class ProgramSignals {
    private static final Map<Integer, String> HANDLED_BY_JAVA = Map.of(1, "HUP", 2, "INT", 15, "TERM");

    /** Profilers interrupt threads by the first; the JDK interrupts blocked calls by the second, from its first channel on. */
    private static final Set<Integer> OF_NOBODY = Set.of(27, 62);

    /** Null if the virtual machine was started without access to the C library. */
    private final @Nullable SignalHandlers before =
            ProgramSignals.mayCallNatively() ? SignalHandlers.current(Arena.ofAuto()) : null;

    private final long caughtBefore = caught();

    private static boolean mayCallNatively() {
        return SignalHandlers.class.getModule().isNativeAccessEnabled();
    }

    /** Their names. */
    List<String> handled() {
        List<String> names = new ArrayList<>();
        for (int signal : changed()) {
            if (!OF_NOBODY.contains(signal)) {
                names.add(SignalNames.of(signal));
            }
        }
        try {
            for (Map.Entry<Integer, String> each : HANDLED_BY_JAVA.entrySet()) {
                if (isReplaced(each.getValue())) {
                    names.add(SignalNames.of(each.getKey()));
                }
            }
        } catch (ReflectiveOperationException absent) {
            // a program without module jdk.unsupported has no handlers
            return names;
        }
        return names;
    }

    private List<Integer> changed() {
        if (before != null) {
            return before.changed();
        }
        BitSet changed = BitSet.valueOf(new long[] {caught() & ~caughtBefore});
        return changed.stream().map(bit -> bit + 1).boxed().toList();
    }

    /** The signals that this process catches, as bits from that of signal 1 on; 0 where the system does not tell. */
    private static long caught() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("SigCgt:"))
                    .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException noLinux) {
            return 0;
        }
    }

    /**
     * Whether the program's handler is in place of the virtual machine's. The only way to learn of a handler is to set
     * another one. A signal that comes meanwhile is passed on, and a handler that the program sets meanwhile stays. A signal
     * that the process ignores, as those that are started by {@code nohup} or in the background of a script do, takes no
     * handler, and wakes nobody.
     */
    private static boolean isReplaced(String name) throws ReflectiveOperationException {
        Class<?> signalClass = Class.forName("sun.misc.Signal");
        Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
        Method set = signalClass.getMethod("handle", signalClass, handlerClass);
        Method handle = handlerClass.getMethod("handle", signalClass);
        Object signal = signalClass.getConstructor(String.class).newInstance(name);
        CompletableFuture<Object> found = new CompletableFuture<>();
        Object stranger = Proxy.newProxyInstance(
                ProgramSignals.class.getClassLoader(), new Class<?>[] {handlerClass}, (proxy, method, arguments) -> {
                    return method.equals(handle) ? handle.invoke(found.join(), arguments) : null;
                });
        synchronized (signalClass) {
            try {
                found.complete(set.invoke(null, signal, stranger));
            } catch (InvocationTargetException refused) {
                // with -Xrs these signals are left to the system
                return false;
            }
            Object last = set.invoke(null, signal, found.join());
            if (found.join() == handlerClass.getField("SIG_IGN").get(null)) {
                return false;
            }
            if (last != stranger) {
                set.invoke(null, signal, last);
                return true;
            }
        }
        return !found.join().getClass().getName().startsWith("sun.misc.");
    }
}
