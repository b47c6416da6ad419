package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Region;
import org.galerna.link.TransferCompletion;
import org.galerna.link.tcp.wire.Security;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.wireup.TestJobs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memory that a program frees while its bytes travel: that transfer fails, and nothing else does. */
class FreedMemoryTest {
    /** More than all buffers between two ranks of a host hold, so that its last bytes are never on their way. */
    private static final int BYTES = 32 << 20; // more than both ends of a connection hold

    private static final int SHORT = 4096;

    /** Looks in a row at which nothing moves: the buffers are full. */
    private static final int QUIET_LOOKS = 2000;

    @AfterEach
    void withoutTls() {
        System.clearProperty(Security.PROPERTY);
    }

    private static final class Ending implements TransferCompletion {
        final CompletableFuture<@Nullable CommunicationException> failure = new CompletableFuture<>();

        @Override
        public void completed(@Nullable CommunicationException reason) {
            assertThat(failure.complete(reason)).as("the only completion").isTrue();
        }
    }

    @Fault(28)
    @ParameterizedTest
    @CsvSource({
        "tcp, false, true, true",
        "tcp, false, false, true",
        "tcp, false, true, false",
        "tcp, false, false, false",
        "tcp, true, true, true",
        "tcp-blocking, false, true, true",
        "tcp-blocking, false, false, true",
        "tcp-blocking, false, true, false",
        "tcp-blocking, false, false, false"
    })
    void aTransferWhoseMemoryIsFreedFailsAlone(String link, boolean tls, boolean get, boolean sourceIsFreed) {
        transfer(link, tls, get, sourceIsFreed);
    }

    @Fault(28)
    @ParameterizedTest
    @CsvSource({"false, true", "true, false", "false, false"})
    @Tag("slow")
    void aTransferWhoseMemoryIsFreedFailsAloneOverTls(boolean get, boolean sourceIsFreed) {
        transfer("tcp", true, get, sourceIsFreed);
    }

    private static void transfer(String link, boolean tls, boolean get, boolean sourceIsFreed) {
        System.setProperty(Security.PROPERTY, String.valueOf(tls));
        LinkProvider provider = LinkProvider.named(link);
        List<InProcessWireup> job = TestJobs.of(2);
        CountDownLatch freed = new CountDownLatch(1);
        RankThreads.run(2, me -> {
            boolean frees = (me == 1) == (get == sourceIsFreed);
            try (InProcessWireup wireup = job.get(me);
                    LinkRank rank = LinkRank.open(provider, wireup, LinkOptions.DEFAULT)) {
                Arena arena = Arena.ofShared();
                MemorySegment memory = arena.allocate(BYTES, 64).fill((byte) 1);
                MemorySegment other = Arena.ofAuto().allocate(SHORT, 64).fill((byte) (2 + me));
                try (Region region = rank.link().rma().register(memory);
                        Region small = rank.link().rma().register(other)) {
                    Ending ending = new Ending();
                    if (me == 0) {
                        start(rank, get, rank.receiveRegion(1), memory, ending);
                    } else {
                        rank.sendRegion(0, region);
                    }
                    if (frees) {
                        freeInTheMiddle(rank, arena, sourceIsFreed);
                        freed.countDown();
                    } else if (sourceIsFreed) { // takes nothing until then
                        assertThat(freed.await(RankThreads.LIMIT.toSeconds(), TimeUnit.SECONDS))
                                .isTrue();
                    } else {
                        rank.pollUntil("memory that is freed", () -> freed.getCount() == 0);
                    }
                    // everything else goes on
                    if (me == 1) {
                        rank.sendRegion(0, small);
                        rank.receiveLong(0);
                    } else {
                        rank.pollUntil("the end of the transfer", ending.failure::isDone);
                        assertThat(ending.failure.join()).isNotNull().hasMessageContaining("rank 1");
                        MemorySegment local = Arena.ofAuto().allocate(SHORT, 64);
                        Ending next = new Ending();
                        start(rank, true, rank.receiveRegion(1), local, next);
                        rank.pollUntil("the next transfer", next.failure::isDone);
                        assertThat(next.failure.join()).isNull();
                        assertThat(local.mismatch(
                                        MemorySegment.ofArray(new byte[SHORT]).fill((byte) 3)))
                                .isEqualTo(-1);
                        assertThat(rank.lost()).isEmpty();
                        rank.sendLong(1, 0);
                    }
                } finally {
                    if (!frees) {
                        free(arena);
                    }
                }
            }
        });
    }

    private static void start(
            LinkRank rank, boolean get, Descriptor region, MemorySegment local, TransferCompletion ending) {
        if (get) {
            rank.link().rma().get(1, region, 0, local, ending);
        } else {
            rank.link().rma().put(1, region, 0, local, ending);
        }
    }

    private static void freeInTheMiddle(LinkRank rank, Arena arena, boolean whenFull) {
        Deadline deadline = Deadline.after(RankThreads.LIMIT);
        boolean moved = false;
        for (int quiet = 0; !moved || (whenFull && quiet < QUIET_LOOKS); quiet++) {
            int ignored = rank.poll();
            if (rank.link().rma().assist()) {
                moved = true;
                quiet = 0;
            }
            deadline.check("bytes that move");
            Thread.yield();
        }
        free(arena);
    }

    /** Another thread may be writing out of it at the moment. */
    private static void free(Arena arena) {
        Deadline.after(RankThreads.LIMIT).await("memory that nobody uses", () -> {
            try {
                arena.close();
                return true;
            } catch (IllegalStateException used) {
                return !arena.scope().isAlive();
            }
        });
    }
}
