package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.galerna.link.LinkOptions;
import org.galerna.link.Wireup;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Connections;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.Fault;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.process.KilledInSteps;
import org.galerna.testkit.process.RankProcesses;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ranks that are processes and end without a word in every step of the protocols, where there is an adapter: {@link
 * AdapterTest} runs it.
 */
class VerbsKilledSuite {
    private static final Duration LONG = Duration.ofMinutes(10);

    /** In an emulated machine, where all that a rank does takes tens of times as long. */
    private static final Duration AT_ONCE = Duration.ofMinutes(2);

    /** Until a rank ends in the middle of a large message, which takes some hundred milliseconds there. */
    private static final String MILLIS = "300";

    /** Of rank 1, rank 2 and so on. */
    private static final List<KilledInSteps.Step> STEPS = List.of(KilledInSteps.Step.values());

    private static void notice(String whom) {
        System.out.println(whom + KilledInSteps.NOTICED + System.currentTimeMillis());
    }

    private static List<Long> times(RankProcesses job, int rank, String mark) {
        return job.rank(rank)
                .out()
                .lines()
                .filter(line -> line.contains(mark))
                .map(line -> Long.valueOf(line.substring(line.indexOf(mark) + mark.length())))
                .toList();
    }

    /** The times, in milliseconds, that rank 0 or 1 has taken to notice the ends of others. */
    private static void checkDelays(String what, List<Long> delays) {
        System.out.println(what + ": " + delays + " ms until it was noticed");
        assertThat(delays).allMatch(delay -> delay < AT_ONCE.toMillis());
    }

    private static List<String> options() {
        List<String> options = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx200m",
                "-Dtest.patience=30",
                "-Dgalerna.peer.timeout=600"));
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(VerbsOptions.PREFIX))
                .forEach(name -> options.add("-D" + name + "=" + System.getProperty(name)));
        return options;
    }

    @Test
    @Fault(17)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    void whoIsKilledInAnyStepOfAMessageIsNamedAndTheOthersGoOn() throws InterruptedException {
        int size = STEPS.size() + 2;
        try (RankProcesses job = RankProcesses.start(size, options(), KilledInSteps.class, "ibvdev", MILLIS)) {
            List<Integer> statuses = job.awaitExits(LONG);
            assertThat(statuses.getFirst())
                    .as("%s%s", job.rank(0).out(), job.rank(0).err())
                    .isZero();
            assertThat(job.rank(0).out()).contains(KilledInSteps.SURVIVED);
            assertThat(statuses.getLast())
                    .as("%s%s", job.rank(size - 1).out(), job.rank(size - 1).err())
                    .isZero();
            assertThat(statuses.subList(1, size - 1)).containsOnly(KilledInSteps.STATUS);
            List<Long> waited = times(job, 0, KilledInSteps.WAITED);
            List<Long> noticed = times(job, 0, KilledInSteps.NOTICED);
            assertThat(noticed).hasSameSizeAs(STEPS);
            checkDelays(
                    STEPS.toString(),
                    IntStream.range(0, STEPS.size())
                            .mapToObj(step -> noticed.get(step)
                                    - Math.max(
                                            waited.get(step),
                                            times(job, step + 1, KilledInSteps.DIES)
                                                    .getFirst()))
                            .toList());
        }
    }

    /** {@link CmErrorsTest} has the same with an imitation, in the fast tier. */
    @Test
    @Fault(17)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    void whoIsKilledWhileItConnectsIsLost() throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(3, options(), Connecting.class)) {
            assertThat(job.awaitExits(LONG))
                    .as("%s%s", job.rank(1).out(), job.rank(1).err())
                    .containsExactly(KilledInSteps.STATUS, 0, KilledInSteps.STATUS);
            long last = Math.max(
                    times(job, 0, KilledInSteps.DIES).getFirst(),
                    times(job, 2, KilledInSteps.DIES).getFirst());
            checkDelays(
                    "while connecting",
                    List.of(times(job, 1, KilledInSteps.NOTICED).getFirst() - last));
        }
    }

    /** Rank 1 connects to rank 0, the lower one, and to rank 2, which both end in the middle of that. */
    static final class Connecting {
        public static void main(String[] arguments) {
            try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                    LinkRank me = LinkRank.open(new VerbsLinkProvider(), wireup, LinkOptions.DEFAULT)) {
                if (me.rank() != 1) {
                    Connections connections = ((VerbsLink) me.link()).connections();
                    while (connections.find(1) == null || connections.to(1).state() == Connection.State.IDLE) {
                        Thread.onSpinWait();
                    }
                    KilledInSteps.die();
                }
                me.link().connect(0);
                me.link().connect(2);
                me.pollUntil("the loss of both", () -> me.lost().size() == 2);
                notice("both");
            }
        }
    }
}
