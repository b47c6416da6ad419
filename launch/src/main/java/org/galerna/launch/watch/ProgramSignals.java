package org.galerna.launch.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.galerna.launch.report.SignalNames;
import org.galerna.nativeaccess.library.JavaSignals;
import org.galerna.nativeaccess.library.SignalHandlers;
import org.jspecify.annotations.Nullable;

/**
 * The signals that the program has handlers for. The virtual machine tells nobody. It is to be seen by the system's
 * handlers, which change when the program's first handler of a signal comes; except for those signals that the virtual
 * machine itself handles to end in order, or Galerna to tell where the ranks are: the program's handlers replace these inside
 * of the virtual machine.
 */
final class ProgramSignals {
    private static final Map<Integer, String> HANDLED_BY_JAVA = Map.of(1, "HUP", 2, "INT", 15, "TERM");

    private static final Map<Integer, String> HANDLED_BY_GALERNA = Map.of(10, "USR1");

    /** Profilers interrupt threads by the first; the JDK interrupts blocked calls by the second, from its first channel on. */
    private static final Set<Integer> OF_NOBODY = Set.of(27, 62);

    /** Null if the virtual machine was started without access to the C library. */
    private final long @Nullable [] before = ProgramSignals.mayCallNatively() ? SignalHandlers.addresses() : null;

    /** 0 where {@link #before} knows better. */
    private final long caughtBefore = before == null ? caught() : 0;

    private static boolean mayCallNatively() {
        return SignalHandlers.class.getModule().isNativeAccessEnabled();
    }

    /** Their names. */
    List<String> handled() {
        Map<Integer, String> shared = new HashMap<>(HANDLED_BY_JAVA);
        HANDLED_BY_GALERNA.forEach((signal, name) -> {
            if (JavaSignals.isOwn(name)) {
                shared.put(signal, name);
            }
        });
        List<String> names = new ArrayList<>();
        for (int signal : changed()) {
            if (!OF_NOBODY.contains(signal) && !shared.containsKey(signal)) {
                names.add(SignalNames.of(signal));
            }
        }
        try {
            for (Map.Entry<Integer, String> each : shared.entrySet()) {
                if (JavaSignals.isOfProgram(each.getValue())) {
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
            return SignalHandlers.changed(before);
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
}
