package org.galerna.bench.suite;

import java.util.HashSet;
import java.util.Set;

/** A contender that has been started, and how far it is warmed up. */
final class Entrant {
    /**
     * Where messages of different sizes take different ways, in bytes: the compiler has to see each. With their envelopes,
     * messages of 16 bytes fill a slot of a ring, those of 40 a line; longer ones lie in its data area.
     */
    private static final long[] CLASS_LIMITS = {16, 40, 1024, 65536};

    private final Contender contender;
    private final boolean warmsUp;
    private final int warmUps;
    private final int threads;
    private final Set<Warmed> warmed = new HashSet<>();

    private record Warmed(String benchmark, long sizeClass) {}

    Entrant(Contender contender, ContenderFactory factory) {
        this.contender = contender;
        this.warmsUp = factory.warmsUp();
        this.warmUps = factory.warmUps();
        this.threads = factory.threads();
    }

    Contender contender() {
        return contender;
    }

    boolean warmsUp() {
        return warmsUp;
    }

    int warmUps() {
        return warmUps;
    }

    /** Threads that send at once where the benchmark is on so many ranks. */
    int streams(Benchmark benchmark, int ranks) {
        return benchmark.sendingRanks(ranks) * threads;
    }

    /**
     * Whether this is the first command of its benchmark and kind of size. Of collectives each size is a kind of its own,
     * for it may have an algorithm of its own.
     */
    boolean isNew(Command command, Benchmark benchmark) {
        if (benchmark.isCollective()) {
            return warmed.add(new Warmed(command.benchmark(), command.bytes()));
        }
        int sizeClass = 0;
        while (sizeClass < CLASS_LIMITS.length && command.bytes() > CLASS_LIMITS[sizeClass]) {
            sizeClass++;
        }
        return warmed.add(new Warmed(command.benchmark(), sizeClass));
    }
}
