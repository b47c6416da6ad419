package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemRandomTest {
    private static final int MANY = 100;

    @TempDir
    private Path temporary;

    @Test
    void noTwoAreAlike() {
        Set<Object> found = new HashSet<>();
        for (int each = 0; each < MANY; each++) {
            found.add(SystemRandom.uuid());
            found.add(SystemRandom.name());
        }
        assertThat(found).hasSize(2 * MANY);
        assertThat(SystemRandom.bytes(32)).hasSize(32).isNotEqualTo(SystemRandom.bytes(32));
    }

    @Test
    void identifiersAreRandomOnesOfTheStandard() {
        for (int each = 0; each < MANY; each++) {
            UUID identifier = SystemRandom.uuid();
            assertThat(identifier.version()).isEqualTo(4);
            assertThat(identifier.variant()).isEqualTo(2);
        }
    }

    @Test
    void aFolderIsNewAndItsOwnersAlone() throws Exception {
        Path folder = SystemRandom.folder(temporary, "some-");
        assertThat(folder.getParent()).isEqualTo(temporary);
        assertThat(folder.getFileName().toString()).startsWith("some-");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(SystemRandom.folder(temporary, "some-")).isNotEqualTo(folder);
    }
}
