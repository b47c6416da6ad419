package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.LinkOptions;
import org.galerna.link.Region;
import org.galerna.link.Wireup;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.link.LinkSubject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verbs that fail: with the {@link Imitation} of their library, which does so when it is told to. */
class VerbErrorsTest extends ImitatedVerbs {
    private static final int STATUSES = 22;
    private static final int QP_FATAL = 1;
    private static final int DEVICE_FATAL = 8;
    private static final int PORT_ACTIVE = 9;

    VerbErrorsTest() {
        super("exchange");
    }

    @ParameterizedTest
    @Fault(28)
    @ValueSource(
            strings = {
                "open_device",
                "query_device",
                "query_port",
                "alloc_pd",
                "create_comp_channel",
                "create_cq",
                "create_srq",
                "create_qp",
                "reg_mr"
            })
    void aRankThatCannotAttachSaysWhichVerbHasFailed(String verb) {
        verbs.fail(verb, 0, Imitation.ENOMEM);
        try (Wireup wireup = newJob(2).getFirst()) {
            assertThatThrownBy(() -> provider().open(wireup, LinkOptions.DEFAULT))
                    .isInstanceOf(CommunicationException.class)
                    .hasMessageContaining("rank 0 cannot use verbs: fake0")
                    .hasMessageContaining("ibv_" + verb)
                    .hasMessageContaining("Cannot allocate memory")
                    .hasMessageContaining("ulimit -l");
        } finally {
            verbs.mend(verb);
        }
    }

    /** Ranks 0 and 1 lose each other by what is done, and both go on with rank 2. */
    private AtomicReference<String> ranksLoseEachOther(LinkSubject.Program crime) {
        AtomicReference<String> reason = new AtomicReference<>("");
        runJob(3, rank -> {
            int me = rank.rank();
            if (me == 0) {
                crime.run(rank);
            }
            if (me < 2) {
                rank.pollUntil("the loss of the other", () -> rank.lost().containsKey(1 - me));
                reason.updateAndGet(known -> known + rank.lost().get(1 - me) + "\n");
            }
            rank.wireup().fence();
            if (me < 2) {
                rank.send(2, 1000, me);
                rank.expect(2, 1000, 2);
            } else {
                for (int peer = 0; peer < 2; peer++) {
                    rank.expect(peer, 1000, peer);
                    rank.send(peer, 1000, 2);
                }
            }
            assertThat(rank.lost()).doesNotContainKey(2);
            rank.wireup().fence();
        });
        return reason;
    }

    @ParameterizedTest
    @Fault({17, 28})
    @ValueSource(strings = {"create_qp", "reg_mr", "to INIT", "to RTR", "to RTS"})
    @Tag("slow")
    void aConnectionThatCannotBeMadeLosesItsTwoRanksAlone(String verb) {
        AtomicReference<String> reason = ranksLoseEachOther(rank -> {
            verbs.fail(verb, 0, Imitation.EIO);
            rank.link().connect(1);
            rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
            verbs.mend(verb);
        });
        String name = verb.startsWith("to") ? "ibv_modify_qp" : "ibv_" + verb;
        assertThat(reason.get()).contains("no connection to it can be made", name, "Input/output error");
    }

    /** Receives that could not be posted, or only some of them, are not posted a second time. */
    @Test
    @Fault({27, 28})
    void whereReceivesCannotBePostedNobodyIsLetIn() {
        runJob(3, rank -> {
            rank.wireup().fence();
            if (rank.rank() == 0) {
                verbs.fail("post_srq_recv", 0, Imitation.EIO);
                rank.link().connect(1);
                rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
                verbs.mend("post_srq_recv");
                rank.link().connect(2);
                rank.pollUntil("the loss of rank 2", () -> rank.lost().containsKey(2));
                assertThat(rank.lost().values()).allMatch(reason -> reason.contains("ibv_post_srq_recv"));
            } else {
                rank.pollUntil("the loss of rank 0", () -> rank.lost().containsKey(0));
            }
            rank.wireup().fence();
        });
    }

    @Test
    @Fault(17)
    void anAdapterThatTakesNoMoreWorkLosesThatPeerAlone() {
        AtomicReference<String> reason = ranksLoseEachOther(rank -> {
            rank.link().connect(1);
            rank.pollUntil("the connection", () -> connection(rank, 1).isUp());
            verbs.fail("post_send", 0, Imitation.ENOMEM);
            rank.send(1, 8, 0);
            verbs.mend("post_send");
        });
        assertThat(reason.get()).contains("takes no more work for it: Cannot allocate memory");
    }

    @Test
    @Fault(17)
    void everyStatusOfAFailedSendIsALossThatIsExplained() {
        runJob(STATUSES, rank -> {
            if (rank.rank() == 0) {
                for (int peer = 1; peer < STATUSES; peer++) {
                    int number = peer;
                    rank.link().connect(peer);
                    rank.pollUntil(
                            "the connection", () -> connection(rank, number).isUp());
                    verbs.completeNextWith(peer);
                    rank.sendLong(peer, 1);
                }
                rank.pollUntil("the loss of all", () -> rank.lost().size() == STATUSES - 1);
                assertThat(rank.lost().values()).allMatch(reason -> reason.contains("the connection to it is broken"));
            } else {
                rank.pollUntil("the loss of rank 0", () -> rank.lost().containsKey(0));
            }
        });
    }

    @Test
    @Fault(17)
    void anEventOfAQueuePairLosesThatPeerAlone() {
        AtomicReference<String> reason = ranksLoseEachOther(rank -> {
            rank.send(1, 8, 0);
            verbs.event(PORT_ACTIVE, pair(rank).number());
            verbs.event(QP_FATAL, pair(rank).number());
        });
        assertThat(reason.get()).contains("its queue pair has failed: an event of the imitation");
    }

    @ParameterizedTest
    @Fault(17)
    @ValueSource(strings = {"poll_cq", "post_srq_recv", "event"})
    void anAdapterThatFailsAltogetherLosesAllPeers(String what) {
        runJob(3, rank -> {
            rank.barrier();
            rank.wireup().fence();
            if (rank.rank() == 0) {
                if (what.equals("event")) {
                    verbs.event(DEVICE_FATAL, pair(rank).number());
                } else {
                    verbs.fail(what, 0, Imitation.EIO);
                }
            }
            rank.wireup().fence();
            if (rank.rank() == 0 || !what.equals("event")) { // which happens to the adapter as rank 0 has opened it
                for (int number = 0; number < 8; number++) { // receives are posted again by eights
                    for (int peer = 0; peer < 3; peer++) {
                        rank.sendIfThere(peer, 8, 1);
                    }
                }
                rank.pollUntil("the loss of both", () -> rank.lost().size() == 2);
            }
            rank.wireup().fence();
            verbs.mend(what);
        });
    }

    @Test
    @Fault(28)
    void aTransferFailsAloneWhereNoMemoryCanBeRegistered() {
        int bytes = 1 << 20;
        runJob(2, rank -> {
            byte[] array = new byte[bytes];
            MemorySegment memory = MemorySegment.ofArray(array);
            if (rank.rank() == 1) {
                try (Arena arena = Arena.ofShared();
                        Region region = rank.link().rma().register(arena.allocate(bytes))) {
                    rank.sendRegion(0, region);
                    rank.receiveLong(0);
                }
                return;
            }
            Descriptor region = rank.receiveRegion(1);
            verbs.fail("reg_mr", 0, Imitation.ENOMEM);
            assertThat(put(rank, region, memory))
                    .isNotNull()
                    .hasMessageContaining("rank 1")
                    .hasMessageContaining("ibv_reg_mr")
                    .hasMessageContaining("ulimit -l");
            verbs.mend("reg_mr");
            Payload.fill(memory, 0, bytes, 3);
            assertThat(put(rank, region, memory)).isNull();
            rank.sendLong(1, 0);
        });
    }

    private static CommunicationException put(LinkRank rank, Descriptor region, MemorySegment memory) {
        AtomicReference<CommunicationException> failure = new AtomicReference<>();
        boolean[] over = new boolean[1];
        rank.link().rma().put(1, region, 0, memory, reason -> {
            failure.set(reason);
            over[0] = true;
        });
        rank.pollUntil("the transfer", () -> over[0]);
        return failure.get();
    }
}
