package org.galerna.nativeaccess.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.galerna.nativeaccess.call.KernelCall;
import org.galerna.nativeaccess.call.Platform;

/**
 * How much of the processors processes leave to others, by {@code setpriority(2)}: 0 usually, 19 at most. A thread of niceness 10 weighs
 * a ninth of a usual one. Nobody can take it back without privilege. On Linux, and only with the numbers that x86-64 and AArch64 have;
 * elsewhere nothing happens. Any thread may call.
 */
public final class ProcessNiceness {
    private static final int MOST = 19;

    /** {@code PRIO_PROCESS}: one thread, for Linux. */
    private static final int OF_THREAD = 0;

    /** Threads that have come while others were made nice are looked for so many times. */
    private static final int LOOKS = 3;

    /** Where the niceness is behind the name of the command in {@code stat}. */
    private static final int FIELD = 17;

    private static final KernelCall SET = KernelCall.of("setpriority", 141);

    private ProcessNiceness() {}

    /** Niceness of the calling thread, which what it starts inherits; 0 if the system does not tell. */
    public static int ofCaller() {
        return read(Path.of("/proc/thread-self/stat"));
    }

    /**
     * Makes all threads of a process as nice as that, and with them what they start.
     *
     * @param process the system's number of a child that has not been waited for, since the system may give another number to others
     * @param niceness more than it has had, or nothing happens; as if 19 if it is more
     */
    public static void set(long process, int niceness) {
        if (!Platform.isUsable() || !Platform.isProcessorKnown() || process <= 0) {
            return;
        }
        int limited = Math.min(niceness, MOST);
        if (read(Path.of("/proc/" + process + "/stat")) >= limited) {
            return; // a privileged caller would take it back
        }
        File threads = new File("/proc/" + process + "/task");
        Set<String> known = new HashSet<>();
        boolean more = true;
        for (int look = 0; more && look < LOOKS; look++) {
            more = false;
            String[] now = threads.list();
            for (String thread : now == null ? new String[0] : now) {
                if (known.add(thread)) {
                    long unused = SET.call(OF_THREAD, Long.parseLong(thread), limited); // or it has ended
                    more = true;
                }
            }
        }
    }

    private static int read(Path stat) {
        try {
            String all = Files.readString(stat);
            return Integer.parseInt(all.substring(all.lastIndexOf(')')).split(" ")[FIELD]);
        } catch (IOException | RuntimeException unknown) {
            return 0;
        }
    }
}
