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
import org.galerna.testkit.wireup.ForwardingWireup;
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
    private static final class Broken extends ForwardingWireup {
        Broken(Wireup real) {
            super(real);
        }

        @Override
        public void fence() {
            throw new CommunicationException("the others do not come");
        }
    }
}
