package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.galerna.link.Region;
import org.galerna.link.transfer.RemoteRegion;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.wire.Word;
import org.galerna.nativeaccess.verbs.SendRequest;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made for connections, transfers and peers is given back, whatever fails. With the {@link Imitation} of the library. */
class VerbResourcesTest extends ImitatedVerbs {
    VerbResourcesTest() {
        super("exchange");
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
}
