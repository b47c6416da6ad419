package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.link.LinkOptions;
import org.galerna.link.Wireup;
import org.galerna.link.verbs.adapter.Attachment;
import org.galerna.link.verbs.adapter.Sizes;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connecting.PeerAddress;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Connections;
import org.galerna.link.verbs.wire.ControlMessage;
import org.galerna.link.wireup.Wireups;
import org.galerna.nativeaccess.verbs.ConnectionEvent;
import org.galerna.nativeaccess.verbs.ConnectionEvents;
import org.galerna.nativeaccess.verbs.ConnectionId;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.RdmaCm;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.nativeaccess.verbs.VerbsLibrary;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections by RDMA CM that do not come about: with the {@link Imitation} of its library. */
class CmErrorsTest extends ImitatedVerbs {
    CmErrorsTest() {
        super("rdmacm");
    }

    /** Two ranks cannot connect, and both go on with the third. */
    private void losesEachOther(String verb, String why) {
        Queue<String> reasons = new ConcurrentLinkedQueue<>(); // one of the two has met it, and the other is told
        runJob(3, rank -> {
            int me = rank.rank();
            if (me == 0) {
                verbs.fail(verb, 0, Imitation.EIO);
                rank.link().connect(1);
            }
            if (me < 2) {
                rank.pollUntil("the loss of the other", () -> rank.lost().containsKey(1 - me));
                reasons.add(rank.lost().get(1 - me));
            }
            rank.wireup().fence();
            verbs.mend(verb);
            rank.wireup().fence();
            if (me < 2) {
                rank.send(2, 1000, me);
            } else {
                rank.expect(0, 1000, 0);
                rank.expect(1, 1000, 1);
            }
            rank.wireup().fence();
        });
        assertThat(reasons).anyMatch(reason -> reason.contains(why));
    }

    @ParameterizedTest
    @Fault({17, 28})
    @ValueSource(strings = {"resolve_addr", "create_qp"})
    void aConnectionThatCannotBeMadeLosesItsTwoRanksAlone(String verb) {
        losesEachOther(verb, "Input/output error");
    }

    @ParameterizedTest
    @Fault({17, 28})
    @ValueSource(strings = {"create_id", "resolve_route", "modify_qp"})
    @Tag("slow")
    void aConnectionThatFailsInAnyStepLosesItsTwoRanksAlone(String verb) {
        losesEachOther(verb, "Input/output error");
    }

    @Test
    @Fault(17)
    void aPeerThatCannotBeReachedIsLost() {
        losesEachOther("unreachable", "RDMA CM cannot connect to it");
    }

    /**
     * Of RDMA CM's trials some fail, also such that the side that is called has accepted: its connection counts as one only
     * when the other side has heard of it, so that nothing is sent into one that is given up.
     */
    @ParameterizedTest
    @Fault(17)
    @CsvSource({"unreachable,1", "refused,0", "late,1"})
    @Tag("slow")
    void aConnectionIsMadeAnewByEitherAsLongAsThatFailsFewTimes(String how, int first) {
        aConnectionIsMadeAnewAsLongAsThatFailsFewTimes(how, first);
    }

    @ParameterizedTest
    @Fault(17)
    @CsvSource({"unreachable,0", "refused,1", "late,0"})
    void aConnectionIsMadeAnewAsLongAsThatFailsFewTimes(String how, int first) {
        int failures = 4;
        verbs.failTimes(how, failures, Imitation.EIO);
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            if (peer == first) {
                rank.expect(peer, 1000, 0);
            }
            for (int message = 0; message < 100; message++) {
                rank.send(peer, 1000, message);
            }
            for (int message = peer == first ? 1 : 0; message < 100; message++) {
                rank.expect(peer, 1000, message);
            }
            assertThat(((VerbsLink) rank.link()).connections().to(peer).restarts())
                    .isEqualTo(failures);
            rank.wireup().fence();
        });
    }

    @Test
    @Fault(28)
    void aPeerMoreThanTheQueuesHaveRoomForIsLostAlone() {
        verbs.fail("room for two", 0, Imitation.ENOMEM);
        runJob(3, rank -> {
            rank.wireup().fence();
            if (rank.rank() == 0) {
                rank.sendLong(1, 1);
                rank.link().connect(2);
                rank.pollUntil("the loss of rank 2", () -> rank.lost().containsKey(2));
                assertThat(rank.lost().get(2)).contains("room for 1 peers");
                rank.sendLong(1, 2);
            } else if (rank.rank() == 1) {
                assertThat(rank.receiveLong(0)).isEqualTo(1);
                assertThat(rank.receiveLong(0)).isEqualTo(2);
            } else {
                rank.pollUntil("the loss of rank 0", () -> rank.lost().containsKey(0));
            }
            rank.wireup().fence();
        });
        verbs.mend("room for two");
    }

    @Test
    @Fault({17, 23})
    void whoLeavesWhileRdmaCmWaitsForItIsWaitedForNoLonger() {
        runJob(2, rank -> {
            if (rank.rank() == 0) {
                verbs.fail("silent", 0, Imitation.EIO);
                rank.link().connect(1);
                Connection connection = ((VerbsLink) rank.link()).connections().to(1);
                rank.pollUntil("the request", () -> connection.pair() != null);
                rank.wireup().fence();
                rank.pollUntil("the end of rank 1", () -> rank.lost().containsKey(1));
                verbs.mend("silent");
            } else {
                rank.wireup().fence();
            }
        });
    }

    /** Who can reach the address where a rank listens, but was told no token by the job. */
    @Test
    @Fault(30)
    void strangersWithoutATokenAreRefusedAndTheRanksTalk() {
        runJob(2, rank -> {
            rank.wireup().fence();
            if (rank.rank() == 1) {
                byte[] published = rank.wireup().get(0, "galerna.verbs.0.adapter");
                InetSocketAddress listener = PeerAddress.decode(published).listener();
                for (int length : new int[] {0, 1, ControlMessage.TOKEN_BYTES - 1, ControlMessage.TOKEN_BYTES, 56}) {
                    byte[] shown = new byte[length];
                    Arrays.fill(shown, (byte) length);
                    assertThat(answerTo(shown, listener)).isEqualTo(ConnectionEvent.Kind.REJECTED);
                }
            }
            rank.wireup().fence();
            assertThat(((VerbsLink) rank.link()).connections().connected()).isZero();
            rank.wireup().fence();
            rank.send(1 - rank.rank(), 1000, rank.rank());
            rank.expect(1 - rank.rank(), 1000, 1 - rank.rank());
            assertThat(rank.lost()).isEmpty();
            rank.wireup().fence(); // nobody leaves before the other has looked
        });
    }

    /** Connects with a queue pair that belongs to no rank. */
    private static ConnectionEvent.Kind answerTo(byte[] shown, InetSocketAddress listener) throws VerbsException {
        VerbsOptions options = VerbsOptions.of(0);
        Attachment attachment = Attachment.open(options, Sizes.of(LinkOptions.DEFAULT, options, 2), 2);
        ConnectionEvents events = attachment.keep(RdmaCm.open().newEvents());
        try (QueuePair pair = attachment.newQueuePair();
                ConnectionId stranger = events.newId()) {
            stranger.resolveAddress(new InetSocketAddress(listener.getAddress(), 0), listener);
            assertThat(next(events)).isEqualTo(ConnectionEvent.Kind.ADDRESS_RESOLVED);
            stranger.resolveRoute();
            assertThat(next(events)).isEqualTo(ConnectionEvent.Kind.ROUTE_RESOLVED);
            stranger.prepare(pair, ConnectionId.State.INIT);
            stranger.connect(pair, shown, 1);
            return next(events);
        } finally {
            attachment.close();
        }
    }

    private static ConnectionEvent.Kind next(ConnectionEvents events) {
        AtomicReference<ConnectionEvent> found = new AtomicReference<>();
        Deadline.after(RankThreads.LIMIT).await("an event", () -> {
            events.next().ifPresent(found::set);
            return found.get() != null;
        });
        return found.get().kind();
    }

    /**
     * Between processes the imitation answers no request: one is killed that RDMA CM waits for, one that waits itself, and
     * one that has nothing to do with it. All are noticed at once, however patient ranks are with those that are silent.
     */
    @Test
    @Fault(17)
    void whoIsKilledWhileRdmaCmConnectsIsLostAtOnce() throws InterruptedException {
        List<String> options = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Dgalerna.peer.timeout=600",
                option(VerbsLibrary.PROPERTY),
                option(RdmaCm.PROPERTY),
                option(Imitation.CONNECT));
        try (RankProcesses job = RankProcesses.start(4, options, Connecting.class)) {
            job.rank(1).awaitOut(out -> out.contains("connecting"), Duration.ofSeconds(60));
            for (int rank : new int[] {0, 2, 3}) {
                job.rank(rank).signal("KILL");
            }
            job.rank(1).awaitOut(out -> out.contains("lost all"), Duration.ofSeconds(5));
            assertThat(job.rank(1).awaitExit(Duration.ofSeconds(10)))
                    .as("%s", job.rank(1).err())
                    .isZero();
        }
    }

    private static String option(String property) {
        return "-D" + property + "=" + System.getProperty(property);
    }

    /** Rank 1 connects to rank 0, the lower one, and to rank 2. */
    static final class Connecting {
        public static void main(String[] arguments) throws InterruptedException {
            try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                    LinkRank me = LinkRank.open(new VerbsLinkProvider(), wireup, LinkOptions.DEFAULT)) {
                if (me.rank() != 1) {
                    Thread.currentThread().join(); // until it is killed
                }
                me.link().connect(0);
                me.link().connect(2);
                Connections connections = ((VerbsLink) me.link()).connections();
                me.pollUntil("both are being connected", () -> connections.connected() == 2);
                System.out.println("connecting");
                me.pollUntil("the loss of all", () -> me.lost().size() == 3);
                assertThat(connections.connected()).isZero();
                System.out.println("lost all: " + me.lost());
            }
        }
    }
}
