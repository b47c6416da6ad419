package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.Descriptor;
import org.galerna.link.Region;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.junit.jupiter.api.Test;

/** What a message costs in calls of the library. */
class VerbCallsTest extends ImitatedVerbs {
    VerbCallsTest() {
        super("exchange");
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
