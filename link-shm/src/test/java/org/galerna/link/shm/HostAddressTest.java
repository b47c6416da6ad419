package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.galerna.link.shm.file.HostAddress;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostAddressTest {
    private final HostAddress here = new HostAddress("0b5e", 27, 123_456);

    @Test
    void ranksThatSeeTheSameFolderReachEachOther() {
        assertThat(here.unreachable(3, new HostAddress("0b5e", 27, 123_456).bytes()))
                .isEmpty();
    }

    @Test
    void anotherBootIsAnotherHost() {
        assertThat(here.unreachable(3, new HostAddress("0b5f", 27, 123_456).bytes()))
                .contains("rank 3 runs on another host");
    }

    @Test
    void anotherFolderOnTheSameHostIsAContainersOrAnotherUsers() {
        for (HostAddress other :
                new HostAddress[] {new HostAddress("0b5e", 28, 123_456), new HostAddress("0b5e", 27, 123_457)}) {
            assertThat(here.unreachable(3, other.bytes()))
                    .hasValueSatisfying(reason -> assertThat(reason).contains("rank 3", "container"));
        }
    }

    @ParameterizedTest
    @Fault({6, 8})
    @ValueSource(strings = {"", " ", "shm1", "shm2 0b5e 1b 1e240", "shm1 0b5e 1b 1e240 x", "\0\0\0\0"})
    void whatIsNoAddressIsAnotherVersions(String published) {
        assertThat(here.unreachable(3, published.getBytes(StandardCharsets.ISO_8859_1)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("rank 3", "another version"));
    }
}
