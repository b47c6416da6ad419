package org.galerna.testkit.process;

import java.util.List;
import java.util.stream.Stream;

/** A limit of memory that a process may lock, also for the superuser. */
public final class LockedMemory {
    private LockedMemory() {}

    /** The words before a command that has to do with so many KiB. */
    public static List<String> limit(int kibibytes) {
        // root may lock as much as it likes unless it gives that up
        return List.of(
                Tools.require("prlimit", "util-linux").toString(),
                "--memlock=" + kibibytes * 1024L,
                Tools.require("setpriv", "util-linux").toString(),
                "--bounding-set=-ipc_lock",
                "--inh-caps=-ipc_lock");
    }

    /** A command under that limit. */
    public static List<String> limit(int kibibytes, List<String> command) {
        return Stream.concat(limit(kibibytes).stream(), command.stream()).toList();
    }
}
