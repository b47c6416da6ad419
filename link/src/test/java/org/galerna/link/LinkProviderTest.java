package org.galerna.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
    void theThreadsLinkSaysWhyRanksThatAreProcessesCannotUseIt() {
        Wireup processes = new SingleProcessWireup();
        LinkProvider threads = LinkProvider.named("threads");
        assertThat(threads.unavailable(processes))
                .hasValueSatisfying(reason -> assertThat(reason).contains("not threads of one JVM"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> threads.open(processes, LinkOptions.DEFAULT))
                .withMessageContaining("not threads of one JVM");
    }

    /** A job whose only rank is a process. */
    private static final class SingleProcessWireup implements Wireup {
        @Override
        public String job() {
            return "one process";
        }

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public void put(String key, byte[] value) {
            // nobody else is there to read it
        }

        @Override
        public void fence() {
            // nobody else is there to wait for
        }

        @Override
        public byte[] get(int rank, String key) {
            throw new CommunicationException("no value of key " + key);
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
