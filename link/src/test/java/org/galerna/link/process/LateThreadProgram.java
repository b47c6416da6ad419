package org.galerna.link.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A process in which something else than a hook begins while the virtual machine starts the hooks. */
public final class LateThreadProgram {
    private LateThreadProgram() {}

    /** What begins while the hooks are started. */
    enum Late {
        /** Another thread ends the process as well. */
        EXIT("exits"),
        /** The process is told to end by a signal as well. */
        SIGNAL("SIGTERM handler");

        private final String thread;

        Late(String thread) {
            this.thread = thread;
        }
    }

    /**
     * Arguments: what begins, and the number of hooks. Prints at the end whether it has begun: it has not if all hooks were started
     * before the one of Galerna.
     */
    public static void main(String[] arguments) {
        Late late = Late.valueOf(arguments[0]);
        AtomicBoolean begun = new AtomicBoolean();
        EndOfProcess.add(() -> System.out.println("late " + begun));
        for (int number = 0; number < Integer.parseInt(arguments[1]); number++) {
            Runtime.getRuntime().addShutdownHook(new Thread() {
                /** Called by the thread that starts the hooks. */
                @Override
                public void start() {
                    if (isThere("galerna-end", false) && begun.compareAndSet(false, true)) {
                        begin(late);
                    }
                    super.start();
                }
            });
        }
        System.exit(0);
    }

    private static void begin(Late late) {
        if (late == Late.EXIT) {
            Thread.ofPlatform().name(late.thread).start(() -> System.exit(1));
        } else {
            try {
                new ProcessBuilder(
                                "kill",
                                "-s",
                                "TERM",
                                String.valueOf(ProcessHandle.current().pid()))
                        .start();
            } catch (IOException noKill) {
                throw new UncheckedIOException(noKill);
            }
        }
        while (!isThere(late.thread, true)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isThere(String thread, boolean blocked) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(
                        each -> each.getName().equals(thread) && (!blocked || each.getState() == Thread.State.BLOCKED));
    }
}
