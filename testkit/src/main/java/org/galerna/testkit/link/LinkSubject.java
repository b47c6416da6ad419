package org.galerna.testkit.link;

import java.time.Duration;
import java.util.List;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.wireup.TestJobs;

/** The link that a contract is checked on. */
public interface LinkSubject {
    /** Opens the links. */
    LinkProvider provider();

    /** Wire-ups of a new job whose ranks run in this JVM, in the order of the ranks. */
    default List<? extends Wireup> newJob(int size) {
        return TestJobs.of(size);
    }

    /** Whether regions outside the heap are read and written while their owner does not poll. */
    default boolean movesWithoutTheOwner() {
        return false;
    }

    /** Whether a descriptor of a closed region, or one that nobody has given, is refused. An adapter ends the connection. */
    default boolean refusesForgedDescriptors() {
        return true;
    }

    /** How long the ranks of one test may take. */
    default Duration limit() {
        return RankThreads.LIMIT;
    }

    /** What one rank of a test does with its link. */
    @FunctionalInterface
    interface Program {
        /** Runs with the rank's link, which is open on all ranks. */
        void run(LinkRank rank) throws Exception;
    }

    /** Runs a job with links of the default options. */
    default void runJob(int size, Program program) {
        runJob(size, LinkOptions.DEFAULT, program);
    }

    /** Runs a job: every rank opens its link, meets the others, runs the program and closes its link. */
    default void runJob(int size, LinkOptions options, Program program) {
        List<? extends Wireup> job = newJob(size);
        RankThreads.run(Thread.ofPlatform().daemon().factory(), size, limit(), rank -> {
            try (Wireup wireup = job.get(rank);
                    LinkRank me = LinkRank.open(provider(), wireup, options)) {
                program.run(me);
            }
        });
    }
}
