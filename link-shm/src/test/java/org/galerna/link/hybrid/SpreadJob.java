package org.galerna.link.hybrid;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiPredicate;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.galerna.testkit.wireup.TestJobs;

/**
 * A job whose ranks run in this JVM and take each other for ranks of other processes and hosts: what the others publish
 * about where they are is kept from them. The links are the real ones.
 */
final class SpreadJob {
    private static final String THREADS = "galerna.threads";
    private static final String SHARED_MEMORY = "galerna.shm";

    private SpreadJob() {}

    /**
     * A new job.
     *
     * @param inOneProcess whether two ranks may reach each other as threads
     * @param onOneHost whether two ranks may reach each other by shared memory
     */
    static List<Wireup> create(
            int size, BiPredicate<Integer, Integer> inOneProcess, BiPredicate<Integer, Integer> onOneHost) {
        return TestJobs.of(size).stream()
                .<Wireup>map(wireup -> new Spread(wireup, inOneProcess, onOneHost))
                .toList();
    }

    private static final class Spread extends ForwardingWireup {
        private final BiPredicate<Integer, Integer> inOneProcess;
        private final BiPredicate<Integer, Integer> onOneHost;

        Spread(Wireup real, BiPredicate<Integer, Integer> inOneProcess, BiPredicate<Integer, Integer> onOneHost) {
            super(real);
            this.inOneProcess = inOneProcess;
            this.onOneHost = onOneHost;
        }

        @Override
        public byte[] get(int rank, String key) {
            if (key.startsWith(THREADS) && !inOneProcess.test(rank(), rank)) {
                return "elsewhere".getBytes(StandardCharsets.US_ASCII);
            }
            if (key.startsWith(SHARED_MEMORY) && !onOneHost.test(rank(), rank)) {
                throw new CommunicationException("rank " + rank + " is on another host");
            }
            return super.get(rank, key);
        }
    }
}
