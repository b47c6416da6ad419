package org.galerna.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LinkProviderTest {
    @Test
    void findsALinkByItsName() {
        assertThat(LinkProvider.named("threads").name()).isEqualTo("threads");
    }

    @Test
    void namesALinkThatDoesNotExist() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LinkProvider.named("carrier-pigeon"))
                .withMessageContaining("carrier-pigeon");
    }

    @Test
    void theThreadsLinkReachesRanksOfItsProcessOnly() {
        LinkProvider threads = LinkProvider.named("threads");
        Wireup second = new SecondOfTwo();
        try (Link link = threads.open(second, LinkOptions.DEFAULT)) {
            assertThat(link.unreachable(1)).isEmpty();
            assertThat(link.unreachable(0))
                    .hasValueSatisfying(
                            reason -> assertThat(reason).contains("rank 0 is not a thread of this process"));
        }
    }

    @Test
    void theThreadsLinkIsNotForARankThatHasAProcessOfItsOwn() {
        assertThat(LinkProvider.named("threads").unavailable(new SecondOfTwo())).isEmpty();
        Wireup alone = new SecondOfTwo() {
            @Override
            public boolean isAlone() {
                return true;
            }
        };
        assertThat(LinkProvider.named("threads").unavailable(alone))
                .hasValue("no other rank is a thread of this process");
        Wireup only = new SecondOfTwo() {
            @Override
            public boolean isAlone() {
                return true;
            }

            @Override
            public int size() {
                return 1;
            }
        };
        assertThat(LinkProvider.named("threads").unavailable(only))
                .as("it reaches itself")
                .isEmpty();
    }

    /** A job whose first rank lives in another process. */
    private static class SecondOfTwo implements Wireup {
        private final Map<String, byte[]> own = new HashMap<>();

        @Override
        public String job() {
            return "two processes";
        }

        @Override
        public int rank() {
            return 1;
        }

        @Override
        public int size() {
            return 2;
        }

        @Override
        public void put(String key, byte[] value) {
            own.put(key, value);
        }

        @Override
        public void fence() {
            // nobody here waits
        }

        @Override
        public byte[] get(int rank, String key) {
            return rank == 1 ? own.get(key) : "elsewhere".getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public void abort(int status, String reason) {
            throw new CommunicationException(reason);
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
