package org.galerna.launch.wireup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.galerna.link.CommunicationException;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;

/** What the ranks of {@link JobManagersTest} run: {@code java RankProgram WHAT [NUMBER]}. Rank 1 is the one that fails. */
final class RankProgram {
    private static final int[] SIZES = {0, 1, 3, 764, 765, 766, 767, 1023, 1024, 2000, Wireup.MAXIMUM_VALUE};

    private RankProgram() {}

    public static void main(String[] arguments) {
        if (arguments[0].equals("alone")) {
            assertThat(Wireups.ofProcess()).isEmpty();
            System.out.println("alone");
            return;
        }
        Wireup wireup = Wireups.ofProcess().orElseThrow(() -> new AssertionError("no launcher"));
        int number = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0;
        switch (arguments[0]) {
            case "exchange" -> exchange(wireup);
            case "fences" -> fences(wireup, number);
            case "abort" -> failInRank1(wireup, () -> wireup.abort(number, "had enough"));
            case "throw" ->
                failInRank1(wireup, () -> {
                    throw new IllegalStateException("bad");
                });
            case "exit" -> {
                wireup.observe(new Unfinished(wireup.rank()));
                failInRank1(wireup, () -> System.exit(number));
            }
            case "kill" -> failInRank1(wireup, RankProgram::kill);
            case "leave" -> leave(wireup);
            case "forget" -> {
                leave(wireup);
                if (wireup.rank() == 1) {
                    wireup.observe(new Unfinished(1));
                }
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.out.println("rank " + wireup.rank() + " of " + wireup.size() + " in " + wireup.job() + " is done");
    }

    /** A rank that has called {@code MPI.Init} and nothing more. */
    private record Unfinished(int rank) implements RankMonitor {
        @Override
        public long progress() {
            return 0;
        }

        @Override
        public List<Blocked> blocked() {
            return List.of();
        }

        @Override
        public boolean finished() {
            return false;
        }
    }

    private static void exchange(Wireup wireup) {
        for (int size : SIZES) {
            wireup.put("size." + size, bytes(wireup.rank(), size));
        }
        wireup.put("changes", bytes(wireup.rank(), 1));
        wireup.fence();
        expect(wireup, "changes", 1);
        for (int size : SIZES) {
            expect(wireup, "size." + size, size);
        }
        wireup.fence(); // nobody may change what others still read
        wireup.put("changes", bytes(wireup.rank(), 2));
        if (wireup.rank() == 0) {
            wireup.put("only rank 0", new byte[] {42});
        }
        wireup.fence();
        wireup.fence();
        expect(wireup, "changes", 2);
        expect(wireup, "size.4096", 4096);
        assertThat(wireup.get(0, "only rank 0")).containsExactly(42);
        assertThatThrownBy(() -> wireup.get(wireup.size() - 1, "nothing"))
                .isInstanceOf(CommunicationException.class)
                .hasMessageContaining("has published no value of key nothing");
        wireup.fence();
    }

    private static void fences(Wireup wireup, int count) {
        wireup.put("first", bytes(wireup.rank(), 10));
        for (int fence = 1; fence <= count; fence++) {
            boolean publishes = fence % 10 == 0;
            if (publishes) {
                wireup.put("counter", bytes(fence, 8));
            }
            wireup.fence();
            if (publishes) {
                int neighbour = (wireup.rank() + 1) % wireup.size();
                assertThat(wireup.get(neighbour, "counter")).isEqualTo(bytes(fence, 8));
            }
        }
        expect(wireup, "first", 10);
    }

    /** Nobody waits for the others: the first ones are gone while the last ones begin. */
    private static void leave(Wireup wireup) {
        wireup.put("left", new byte[1]);
        wireup.fence();
    }

    private static void failInRank1(Wireup wireup, Runnable failure) {
        wireup.fence();
        if (wireup.rank() == 1) {
            failure.run();
        } else {
            wireup.fence();
        }
    }

    private static void kill() {
        try {
            new ProcessBuilder(
                            "kill", "-9", String.valueOf(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void expect(Wireup wireup, String key, int size) {
        for (int rank = 0; rank < wireup.size(); rank++) {
            assertThat(wireup.get(rank, key)).as("key %s of rank %d", key, rank).isEqualTo(bytes(rank, size));
        }
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(1000L * seed + length).nextBytes(bytes);
        return bytes;
    }
}
