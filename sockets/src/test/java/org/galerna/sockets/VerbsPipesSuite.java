package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Over verbs, where there is an adapter: {@link AdapterTest} runs it. */
class VerbsPipesSuite extends LinkPipes {
    private static final Path ROCE_PACKETS = Path.of("/sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts");
    private static final String ADDRESS = "galerna.test.address";
    private static final Duration LONGEST = Duration.ofMinutes(9); // of programs that are emulated

    VerbsPipesSuite() {
        super("verbs", System.getProperty(ADDRESS, "10.77.0.2"), LONGEST);
    }

    /** What this Java was told of the adapter, the others have to know, too. */
    @Override
    List<String> javaOptions() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-Dgalerna.") || option.startsWith("-X"))
                .toList();
    }

    private static long packets() throws IOException {
        return Long.parseLong(Files.readString(ROCE_PACKETS).strip());
    }

    @Test
    void theAdapterCountsThePacketsOfAStream() throws Exception {
        Assumptions.assumeTrue(Files.exists(ROCE_PACKETS), "an adapter without counters");
        long before = packets();
        blockingSocketsGoOverTheLink();
        // a ring of 256 KiB at least there and back, twice, in packets of 4096 bytes at most; what is not read in time
        // goes over TCP
        assertThat(packets() - before).isGreaterThan(4 * 250_000 / 4096);
    }
}
