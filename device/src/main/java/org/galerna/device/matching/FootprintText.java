package org.galerna.device.matching;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.galerna.device.matching.engine.Attendant;
import org.galerna.device.matching.sending.Coalescer;
import org.galerna.link.Footprint;
import org.galerna.link.Footprint.Amounts;
import org.galerna.link.Footprint.Range;
import org.galerna.link.Link;
import org.galerna.link.Wireup;
import org.galerna.link.counters.RankCounters;
import org.galerna.link.wireup.Hosts;

/** What the ranks of a host take of it, and each of them, as text for people. The lowest rank of each host says it. */
final class FootprintText {
    private static final Path OWN_FILES = Path.of("/proc/self/fd");
    private static final Path OWN_THREADS = Path.of("/proc/self/task");
    private static final int KIBI = 1024;

    private FootprintText() {}

    /** The lines; none for other ranks than the lowest of a host. */
    static List<String> of(Link link, Wireup wireup, Hosts hosts, boolean offersHeap) {
        int rank = wireup.rank();
        int[] ranks = IntStream.range(0, wireup.size())
                .filter(each -> hosts.hostOf(each) == hosts.hostOf(rank))
                .toArray();
        if (ranks[0] != rank) {
            return List.of();
        }
        Optional<Footprint> ofLink = link.footprint(wireup.size() - 1);
        if (ofLink.isEmpty()) {
            return List.of("what a rank takes by " + link.name() + " is not known");
        }
        Footprint footprint = ofLink.get().plus(RankCounters.footprint()).plus(ofDevice());
        int processes = offersHeap
                ? (int) IntStream.of(ranks).map(hosts::heapOf).distinct().count()
                : ranks.length;
        List<String> lines = new ArrayList<>();
        lines.add("rank " + rank + " takes, beside its heap: " + text(footprint.inAll(1, 1)));
        if (ranks.length > 1) {
            lines.add("the " + ranks.length + " ranks of its host take together: "
                    + text(footprint.inAll(ranks.length, processes)));
        }
        lines.add("the process of rank " + rank + " has " + entries(OWN_THREADS) + " threads and " + entries(OWN_FILES)
                + " open files so far");
        return lines;
    }

    /** Threads that look for messages while those of the rank do other things. */
    private static Footprint ofDevice() {
        return Footprint.ofRank(Amounts.threads(Range.upTo(Attendant.MOST_THREADS + Coalescer.MOST_THREADS)));
    }

    private static String text(Amounts amounts) {
        Range kibibytes =
                new Range(kibi(amounts.memory().least()), kibi(amounts.memory().most()));
        return text(kibibytes) + " KiB of memory for messages, " + text(amounts.openFiles()) + " open files, "
                + text(amounts.threads()) + " threads, " + text(amounts.sharedFiles())
                + " files in shared memory";
    }

    private static long kibi(long bytes) {
        return (bytes + KIBI - 1) / KIBI;
    }

    private static String text(Range range) {
        return range.least() == range.most() ? "" + range.least() : range.least() + " to " + range.most();
    }

    private static String entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return String.valueOf(entries.count());
        } catch (IOException unknown) {
            return "an unknown number of";
        }
    }
}
