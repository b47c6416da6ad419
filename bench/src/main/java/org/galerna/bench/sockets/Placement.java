package org.galerna.bench.sockets;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.galerna.memory.Topology;
import org.galerna.nativeaccess.thread.Affinity;

/** Where the two processes of a pair may run. */
enum Placement {
    /** Wherever the system puts them. */
    ANYWHERE(""),

    /** Each on a core of its own. */
    OWN_CORES(", own cores"),

    /** Both on the same core, where one runs when the other one sleeps. */
    ONE_CORE(", one core");

    private final String suffix;

    Placement(String suffix) {
        this.suffix = suffix;
    }

    /** What is added to the name of a benchmark. */
    String suffix() {
        return suffix;
    }

    /** Why processes cannot be placed on this machine; empty if they can. */
    static Optional<String> unavailable() {
        return Affinity.unavailable()
                .or(() -> Topology.ofMachine().cores().size() < 2
                        ? Optional.of("there is one core only")
                        : Optional.empty());
    }

    /**
     * Has all threads of a process run there, also those that they start later.
     *
     * @param number 0 or 1, which of a pair it is
     */
    void put(long process, int number) throws IOException {
        List<Topology.Core> cores = Topology.ofMachine().cores();
        BitSet mask = new BitSet();
        switch (this) {
            case ANYWHERE -> cores.forEach(core -> mask.or(core.mask()));
            case OWN_CORES -> mask.or(cores.get(number).mask());
            case ONE_CORE -> mask.set(cores.getFirst().mask().nextSetBit(0));
        }
        Affinity affinity = Affinity.instance().orElseThrow();
        // twice: a thread that was started meanwhile has inherited what was set or is found by then
        for (int round = 0; round < 2; round++) {
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", process + "", "task"))) {
                for (Path thread : threads) {
                    affinity.set(Integer.parseInt(thread.getFileName().toString()), mask);
                }
            }
        }
    }
}
