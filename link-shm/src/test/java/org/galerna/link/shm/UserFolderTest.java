package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.Test;

/** The folder of a user, which the first job makes and the last one removes. */
class UserFolderTest {
    @Test
    void comesAndGoesWithItsJobsHoweverTheirStartsAndEndsMeet() throws IOException {
        try (SharedFolder folder = new SharedFolder()) {
            RankThreads.run(4, me -> {
                for (int round = 0; round < 250; round++) {
                    boolean isThere = UserFolder.locked(user -> {
                        boolean there = folder.user().toFile().isDirectory();
                        user.removeIfEmpty();
                        return there;
                    });
                    assertThat(isThere).isTrue();
                }
            });
            assertThat(folder.user()).doesNotExist();
        }
    }
}
