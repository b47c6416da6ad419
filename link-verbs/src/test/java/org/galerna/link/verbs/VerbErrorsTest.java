package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.LinkOptions;
import org.galerna.link.Region;
import org.galerna.link.Wireup;
import org.galerna.link.transfer.RemoteRegion;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.wire.Word;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.SendRequest;
import org.galerna.testkit.Fault;
import org.galerna.testkit.LinkRank;
import org.galerna.testkit.LinkSubject;
import org.galerna.testkit.Payload;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** Each step of preparing a connection fails once, and what the steps before it have made is gone again. */
    @ParameterizedTest
    @Fault({27, 28})
    @CsvSource({"reg_mr, 1, 0", "create_qp, 0, 1", "to RTR, 1, 1"})
    void whatWasMadeForAConnectionThatCannotBeMadeIsGivenBack(String verb, int after, int blocks) {
        isGivenBack(verb, after, blocks);
    }

    @ParameterizedTest
    @Fault({27, 28})
    @CsvSource({"reg_mr, 0, 0", "reg_mr, 2, 0", "to INIT, 0, 1"})
    @Tag("slow")
    void whatWasMadeInAnyStepIsGivenBack(String verb, int after, int blocks) {
        isGivenBack(verb, after, blocks);
    }

    private void isGivenBack(String verb, int after, int blocks) {
        runJob(2, rank -> {
            rank.wireup().fence();
            int before = verbs.objects();
            rank.wireup().fence();
            if (rank.rank() == 0) {
                verbs.fail(verb, after, Imitation.EIO);
                rank.link().connect(1);
            }
            rank.pollUntil("the loss of the other", () -> rank.lost().containsKey(1 - rank.rank()));
            rank.wireup().fence();
            verbs.mend(verb);
            // receives that were posted serve the next peer
            int most = verb.equals("to RTR") ? 2 * blocks : blocks;
            assertThat(verbs.objects() - before).isBetween(0, most);
            rank.wireup().fence();
        });
    }

    /** Who cannot be let in takes nobody's room. */
    @ParameterizedTest
    @Fault({27, 28})
    @CsvSource({"reg_mr, 2", "create_qp, 0"})
    void theRoomOfAPeerThatCouldNotBeLetInIsTheNextOnes(String verb, int after) {
        verbs.fail("room for two", 0, Imitation.ENOMEM); // itself and a peer
        runJob(3, rank -> {
            rank.wireup().fence();
            if (rank.rank() == 0) {
                verbs.fail(verb, after, Imitation.EIO);
                rank.link().connect(1);
            }
            if (rank.rank() < 2) {
                rank.pollUntil("the loss of the other", () -> rank.lost().containsKey(1 - rank.rank()));
            }
            rank.wireup().fence();
            verbs.mend(verb);
            rank.wireup().fence();
            if (rank.rank() == 0) {
                rank.sendLong(2, 5);
                assertThat(rank.receiveLong(2)).isEqualTo(6);
            } else if (rank.rank() == 2) {
                assertThat(rank.receiveLong(0)).isEqualTo(5);
                rank.sendLong(0, 6);
            }
            rank.wireup().fence();
        });
        verbs.mend("room for two");
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

    /** Memory of no arena that ends is not kept registered, and so is everything without a cache. */
    @ParameterizedTest
    @Fault({23, 27})
    @ValueSource(strings = {"256", "0"})
    void regionsThatNobodyHasClosedAreLetGoWithTheLink(String cached) {
        System.setProperty(VerbsOptions.PREFIX + "registration.cache", cached);
        try {
            List<Region> left = new ArrayList<>();
            runJob(1, rank -> {
                left.add(rank.link().rma().register(Arena.global().allocate(4096)));
                left.add(rank.link().rma().register(Arena.ofAuto().allocate(4096)));
            });
            assertThat(verbs.objects()).isZero();
            left.forEach(Region::close);
            assertThat(verbs.objects()).isZero();
        } finally {
            System.clearProperty(VerbsOptions.PREFIX + "registration.cache");
        }
    }

    @Test
    @Fault({23, 27})
    void aLinkThatIsClosedRegistersNothing() {
        runJob(1, rank -> {
            rank.link().close();
            try (Region region = rank.link().rma().register(Arena.ofAuto().allocate(4096))) {
                assertThat(region.descriptorBytes()).isEqualTo(RemoteRegion.BYTES);
                assertThat(verbs.objects()).isZero();
            }
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

    private static Connection connection(LinkRank rank, int peer) {
        return ((VerbsLink) rank.link()).connections().to(peer);
    }

    private static QueuePair pair(LinkRank rank) {
        return connection(rank, 1).pair();
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

    /** Who is lost with messages that nobody could read leaves as many receives to the next one as there were for it. */
    @Test
    @Fault({6, 27})
    void receivesOfWhatALostPeerHasSentServeTheNextOne() {
        int credits = 64;
        runJob(3, rank -> {
            if (rank.rank() == 1) {
                rank.link().connect(0);
                Connection connection = ((VerbsLink) rank.link()).connections().to(0);
                rank.pollUntil("the connection", connection::isUp);
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment nothing = arena.allocate(8, 8);
                    SendRequest request = new SendRequest();
                    request.send(0, nothing.address(), 8, 0, true, false).withImmediate(Word.of(Word.FRAMES, 1, 0));
                    for (int number = 0; number < credits; number++) {
                        assertThat(connection.pair().post(request)).isZero();
                    }
                }
            }
            if (rank.rank() < 2) {
                rank.pollUntil("the loss", () -> rank.lost().containsKey(1 - rank.rank()));
            }
            rank.wireup().fence();
            if (rank.rank() == 2) {
                rank.sendLong(0, 1);
            } else if (rank.rank() == 0) {
                assertThat(rank.receiveLong(2)).isEqualTo(1);
            }
            rank.wireup().fence();
            for (int number = 0; rank.rank() == 2 && number < credits / 2; number++) {
                rank.send(0, 8, number); // it has credit for them, and rank 0 looks at none yet
            }
            rank.wireup().fence();
            for (int number = 0; rank.rank() == 0 && number < credits / 2; number++) {
                rank.expect(2, 8, number);
            }
            assertThat(rank.lost()).doesNotContainKey(2 - rank.rank());
            rank.wireup().fence();
        });
    }

    /** Credit that is given back after the goodbye must not keep a rank from leaving, while nobody else does. */
    @Test
    @Fault(23)
    void whoLeavesWithMessagesUnreadDoesNotWaitForTheOthers() {
        int messages = 60;
        runJob(2, rank -> {
            rank.barrier();
            for (int number = 0; rank.rank() == 1 && number < messages; number++) {
                rank.send(0, 8, number);
            }
            rank.wireup().fence();
            if (rank.rank() == 0) {
                rank.link().stop();
                assertThat(rank.link().drain(TimeUnit.SECONDS.toNanos(20))).isTrue();
            }
            rank.wireup().fence();
        });
    }

    @Test
    @Fault({20, 27})
    void connectionsThatComeAndGoLeaveNothingBehind() {
        for (int round = 0; round < 5; round++) {
            runJob(4, rank -> {
                for (int peer : IntStream.range(0, 4).toArray()) {
                    rank.send(peer, 5000, peer);
                }
                for (int peer = 0; peer < 4; peer++) {
                    rank.expect(peer, 5000, rank.rank());
                }
                rank.barrier();
            });
            assertThat(verbs.objects()).isZero();
        }
    }

    @Test
    void aMessageCostsEachSideOneCallAndItsReceiverAnEighthMore() {
        int rounds = 2000;
        runJob(2, rank -> {
            rank.barrier();
            rank.wireup().fence();
            if (rank.rank() == 0) {
                Imitation.KINDS.forEach(verbs::calls);
            }
            rank.wireup().fence();
            for (int round = 0; round < rounds; round++) {
                if (rank.rank() == 0) {
                    rank.send(1, 16, round);
                    rank.expect(1, 16, round);
                } else {
                    rank.expect(0, 16, round);
                    rank.send(0, 16, round);
                }
            }
            rank.wireup().fence();
            if (rank.rank() == 0) { // completions of sends are asked for once in a while
                int messages = 2 * rounds;
                assertThat(verbs.calls("post_send")).isEqualTo(messages);
                assertThat(verbs.calls("post_srq_recv")).isBetween(messages / 8 - 2, messages / 8 + 2);
                assertThat(verbs.calls("poll_cq")).isBetween(messages - 2, messages + messages / 16);
            }
            rank.wireup().fence();
        });
    }

    @Test
    void aLargeMessageThatIsReadCostsOneRequestAndOneThatIsWrittenThree() {
        int transfers = 100;
        assertThat(requestsOf(transfers, 64 * 1024, "read")).isEqualTo(transfers);
        assertThat(requestsOf(transfers, 64 * 1024, "write")).isEqualTo(3 * transfers); // a question, bytes, an answer
        assertThat(requestsOf(transfers, 1 << 20, "read")).isEqualTo(transfers);
        assertThat(requestsOf(transfers, 1 << 20, "write")).isEqualTo(3 * transfers);
    }

    /** Work requests of both ranks while one fetches memory outside the heap from the other, one piece after the other. */
    private int requestsOf(int transfers, int bytes, String rendezvous) {
        AtomicInteger requests = new AtomicInteger();
        System.setProperty(VerbsOptions.PREFIX + "rendezvous", rendezvous);
        try {
            runJob(2, rank -> {
                try (Arena arena = Arena.ofShared()) {
                    MemorySegment memory = arena.allocate(bytes, 64);
                    try (Region region = rank.link().rma().register(memory)) {
                        rank.sendRegion(1 - rank.rank(), region);
                        Descriptor remote = rank.receiveRegion(1 - rank.rank());
                        rank.barrier();
                        rank.wireup().fence(); // nobody is in the middle of it
                        if (rank.rank() == 0) {
                            verbs.calls("post_send");
                        }
                        for (int number = 0; rank.rank() == 0 && number < transfers; number++) {
                            boolean[] over = new boolean[1];
                            rank.link().rma().get(1, remote, 0, memory, failure -> {
                                assertThat(failure).isNull();
                                over[0] = true;
                            });
                            rank.pollUntil("the transfer", () -> over[0]);
                        }
                        if (rank.rank() == 0) {
                            requests.set(verbs.calls("post_send"));
                        }
                        rank.pollUntil("the end of the transfers", () -> requests.get() > 0);
                        rank.barrier();
                    }
                }
            });
        } finally {
            System.clearProperty(VerbsOptions.PREFIX + "rendezvous");
        }
        return requests.get();
    }
}
