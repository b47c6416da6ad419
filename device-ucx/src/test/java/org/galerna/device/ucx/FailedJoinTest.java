package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.galerna.device.DeviceOptions;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.junit.jupiter.api.Test;

/** A rank that cannot join its job. */
class FailedJoinTest implements UcxdevSubject {
    private static final int TIMES = 20;

    @Test
    void nothingStaysOpen() throws IOException {
        failToJoin(); // the library opens something of its own
        long before = descriptors();
        for (int time = 0; time < TIMES; time++) {
            failToJoin();
        }
        assertThat(descriptors() - before).as("descriptors that stay open").isLessThan(TIMES);
    }

    private void failToJoin() {
        InProcessWireup alone = newJob(1).getFirst();
        assertThatThrownBy(() -> open(new Broken(alone), DeviceOptions.fromSystemProperties()))
                .isInstanceOf(CommunicationException.class)
                .hasMessage("the others do not come");
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    /** The others never reach the fence. */
    private record Broken(Wireup real) implements Wireup {
        @Override
        public String job() {
            return real.job();
        }

        @Override
        public int rank() {
            return real.rank();
        }

        @Override
        public int size() {
            return real.size();
        }

        @Override
        public void put(String key, byte[] value) {
            real.put(key, value);
        }

        @Override
        public void fence() {
            throw new CommunicationException("the others do not come");
        }

        @Override
        public byte[] get(int rank, String key) {
            return real.get(rank, key);
        }

        @Override
        public void abort(int status, String reason) {
            real.abort(status, reason);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
