package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FailureTest {
    @Test
    @Fault(24)
    void messagesOfAnotherLengthThanExpectedAreAnError() {
        try (Ranks ranks = Ranks.of(2)) {
            CollectiveOptions linear = CollectiveOptions.standard().force(Operation.BCAST, "linear");
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, linear);
                byte[] buffer = new byte[32];
                if (team.rank() == 0) {
                    collectives.bcast(buffer, 0, 8, 0);
                    collectives.bcast(buffer, 0, 32, 0);
                } else {
                    assertWrongLength(() -> collectives.bcast(buffer, 0, 16, 0), "linear");
                    assertThatExceptionOfType(DeviceException.class)
                            .isThrownBy(() -> collectives.bcast(buffer, 0, 31, 0))
                            .withMessage(
                                    "rank 0 sends 32 bytes, rank 1 expects 31; all ranks have to call Bcast with matching counts"
                                            + " (in Bcast, receiving from rank 0; algorithm: linear)")
                            .matches(failure -> failure.errorClass() == ErrorClass.TRUNCATE);
                }
                goOn(team, collectives);
            });
        }
    }

    @Test
    @Fault(24)
    void slotsOfAnotherLengthThanExpectedAreAnError() {
        try (Ranks ranks = Ranks.of(2)) {
            CollectiveOptions slots = CollectiveOptions.standard().force(Operation.BCAST, "slots");
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, slots);
                byte[] buffer = new byte[4096];
                if (team.rank() == 0) {
                    collectives.bcast(buffer, 0, 8, 0);
                    collectives.bcast(buffer, 0, 8, 0);
                } else {
                    assertWrongLength(() -> collectives.bcast(buffer, 0, 16, 0), "slots");
                    assertThatExceptionOfType(DeviceException.class)
                            .isThrownBy(() -> collectives.bcast(buffer, 0, 4096, 0))
                            .matches(failure -> failure.errorClass() == ErrorClass.COUNT);
                }
                goOn(team, collectives);
            });
        }
    }

    /** Lengths that ranks tell each other are those of the sender; the receiver compares. */
    @Test
    @Fault(24)
    void blocksOfAnotherLengthThanExpectedAreAnError() {
        try (Ranks ranks = Ranks.of(4)) {
            CollectiveOptions bruck = CollectiveOptions.standard().force(Operation.ALLTOALLV, "bruck");
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, bruck);
                Blocks sent = Blocks.packed(new int[] {3, 3, 3, team.rank() == 1 ? 4 : 3}, 1);
                Blocks expected = Blocks.uniform(3);
                byte[] send = new byte[13];
                byte[] receive = new byte[12];
                if (team.rank() == 3) {
                    assertThatExceptionOfType(DeviceException.class)
                            .isThrownBy(() -> collectives.alltoallv(send, 0, sent, receive, 0, expected))
                            .withMessage("rank 1 sends 4 bytes, rank 3 expects 3; all ranks have to call Alltoallv with"
                                    + " matching counts (in Alltoallv, receiving from rank 1; algorithm: bruck)")
                            .matches(failure -> failure.errorClass() == ErrorClass.COUNT);
                } else {
                    collectives.alltoallv(send, 0, sent, receive, 0, expected);
                }
            });
        }
    }

    private static void assertWrongLength(ThrowingCallable call, String algorithm) {
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(call)
                .withMessage(
                        "rank 0 sends 8 bytes, rank 1 expects 16; all ranks have to call Bcast with matching counts"
                                + " (in Bcast, receiving from rank 0; algorithm: " + algorithm + ")")
                .matches(failure -> failure.errorClass() == ErrorClass.COUNT);
    }

    private static void goOn(Team team, Collectives collectives) {
        byte[] sign = {(byte) team.rank()};
        collectives.bcast(sign, 0, 1, 1);
        assertThat(sign[0]).isEqualTo((byte) 1);
    }

    @Test
    @Fault(17)
    void ranksThatWaitForOneThatHasLeftFail() {
        AtomicInteger failed = new AtomicInteger();
        try (Ranks ranks = Ranks.of(5)) {
            ranks.run(team -> {
                if (team.rank() == 2) {
                    team.device().close();
                    return;
                }
                Collectives collectives =
                        new Collectives(team, CollectiveOptions.standard().force(Operation.ALLREDUCE, "ring"));
                long[] vector = new long[1000];
                assertThatExceptionOfType(DeviceException.class)
                        .isThrownBy(() -> collectives.allreduce(null, 0, vector, 0, 1000, new Sum(0)))
                        .withMessageMatching(
                                "rank [0-9] has left the job without its part in this Allreduce; all ranks have to call the"
                                        + " same collectives, and to end after them \\(in Allreduce; algorithm: ring\\)")
                        .matches(failure -> failure.errorClass() == ErrorClass.PROC_FAILED);
                failed.incrementAndGet();
                // whoever waits for this rank learns of the failure by its leaving
                team.device().close();
            });
        }
        assertThat(failed).hasValue(4);
    }

    @ParameterizedTest
    @Fault(17)
    @CsvSource({"BARRIER, flags", "ALLREDUCE, slots", "ALLREDUCE, direct", "BCAST, slots", "BCAST, direct"})
    void ranksOnOneHeapThatWaitForOneThatHasLeftFail(Operation operation, String algorithm) {
        AtomicInteger failed = new AtomicInteger();
        try (Ranks ranks = Ranks.of(6)) {
            CollectiveOptions options = CollectiveOptions.standard().force(operation, algorithm);
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, options);
                collectives.barrier();
                if (team.rank() == 2) {
                    team.device().close();
                    return;
                }
                long[] vector = new long[100];
                assertThatExceptionOfType(DeviceException.class)
                        .isThrownBy(() -> {
                            switch (operation) {
                                case BARRIER -> collectives.barrier();
                                case BCAST -> collectives.bcast(vector, 0, 800, 2);
                                default -> collectives.allreduce(null, 0, vector, 0, 100, new Sum(0));
                            }
                        })
                        .withMessage("rank 2 has left the job without its part in this " + operation.call()
                                + "; all ranks have to call the same collectives, and to end after them (in "
                                + operation.call() + "; algorithm: " + algorithm + ")")
                        .matches(failure -> failure.missed() != null
                                && failure.missed().leaver() == 2
                                && failure.missed().waiting().contains(team.rank()))
                        .matches(failure -> failure.errorClass() == ErrorClass.PROC_FAILED);
                failed.incrementAndGet();
            });
        }
        assertThat(failed).hasValue(5);
    }

    /** Who does the work gets the exception of the function, the others an error that names that rank. */
    @Test
    void exceptionsInCommonWorkReachEverybody() {
        try (Ranks ranks = Ranks.of(4)) {
            CollectiveOptions direct = CollectiveOptions.standard().force(Operation.ALLREDUCE, "direct");
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, direct);
                long[] send = new long[10_000];
                long[] receive = new long[10_000];
                Arrays.fill(send, team.rank());
                send[5_000] = 5;
                assertThatExceptionOfType(RuntimeException.class)
                        .isThrownBy(() -> collectives.allreduce(send, 0, receive, 0, 10_000, new Sum(5)))
                        .withMessageStartingWith("5 is not welcome")
                        .matches(failure -> failure instanceof ArithmeticException
                                || (failure instanceof DeviceException
                                        && failure.getCause() instanceof ArithmeticException));
                collectives.allreduce(send, 0, receive, 0, 10_000, new Sum(0));
                assertThat(receive[0]).isEqualTo(6);
                assertThat(receive[5_000]).isEqualTo(20);
            });
        }
    }

    @Test
    @Fault(24)
    void commonWorkOnVectorsOfDifferentLengthsIsAnError() {
        try (Ranks ranks = Ranks.of(3)) {
            CollectiveOptions direct = CollectiveOptions.standard()
                    .force(Operation.ALLREDUCE, "direct")
                    .force(Operation.BCAST, "direct");
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, direct);
                long[] vector = new long[20_000];
                int count = team.rank() == 1 ? 19_999 : 20_000;
                assertThatExceptionOfType(DeviceException.class)
                        .isThrownBy(() -> collectives.allreduce(null, 0, vector, 0, count, new Sum(0)))
                        .withMessageContaining("matching counts")
                        .matches(failure -> failure.errorClass() == ErrorClass.COUNT);
                assertThatExceptionOfType(DeviceException.class)
                        .isThrownBy(() -> collectives.bcast(vector, 0, 8L * count, 2))
                        .withMessageContaining("matching counts")
                        .matches(failure -> failure.errorClass() == ErrorClass.COUNT);
                goOn(team, collectives);
            });
        }
    }

    /** An exception of a user function comes out as it is, and does not spoil the next collective. */
    @Test
    void exceptionsOfReductionsComeOut() {
        try (Ranks ranks = Ranks.of(2)) {
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, CollectiveOptions.standard());
                long[] send = {team.rank() + 1, 5};
                long[] receive = new long[2];
                Reduction broken = new Sum(5);
                if (team.rank() == 0) {
                    assertThatExceptionOfType(ArithmeticException.class)
                            .isThrownBy(() -> collectives.reduce(send, 0, receive, 0, 2, broken, 0))
                            .withMessage("5 is not welcome");
                } else {
                    collectives.reduce(send, 0, null, 0, 2, broken, 0);
                }
                collectives.allreduce(send, 0, receive, 0, 2, new Sum(0));
                assertThat(receive).containsExactly(3, 10);
            });
        }
    }

    /** Adds longs, except for one number that it refuses. */
    private record Sum(long refused) implements Reduction {
        @Override
        public void apply(Object in, long inOffset, Object inOut, long inOutOffset, int count) {
            long[] left = (long[]) in;
            long[] right = (long[]) inOut;
            for (int i = 0; i < count; i++) {
                long added = left[(int) (inOffset / Long.BYTES) + i];
                if (refused != 0 && added == refused) {
                    throw new ArithmeticException(added + " is not welcome");
                }
                right[(int) (inOutOffset / Long.BYTES) + i] += added;
            }
        }

        @Override
        public int elementSize() {
            return Long.BYTES;
        }

        @Override
        public boolean commutative() {
            return true;
        }

        @Override
        public Object allocate(int count) {
            return new long[count];
        }

        @Override
        public Class<?> memoryType() {
            return long[].class;
        }
    }
}
