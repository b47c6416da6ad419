package org.galerna.link.wireup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.galerna.link.CommunicationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FolderWireupTest {
    @TempDir
    Path folder;

    @Test
    void ranksFindEachOthersValuesAfterAFence() throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<byte[]>> found = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                int own = rank;
                found.add(threads.submit(() -> {
                    try (FolderWireup wireup = new FolderWireup(folder, own, 3)) {
                        wireup.put("key", new byte[] {(byte) own});
                        wireup.fence();
                        byte[] value = wireup.get((own + 1) % 3, "key");
                        wireup.fence();
                        return value;
                    }
                }));
            }
            for (int rank = 0; rank < 3; rank++) {
                assertThat(found.get(rank).get()).containsExactly((rank + 1) % 3);
            }
        }
    }

    @Test
    void whoWaitsForARankThatHasEndedIsToldSo() {
        FolderWireup wireup = new FolderWireup(folder, 0, 2);
        FolderWireup.end(folder, 1);
        assertThatExceptionOfType(CommunicationException.class)
                .isThrownBy(wireup::fence)
                .withMessage("rank 1 has ended without arriving");
    }

    @Test
    void aValueThatNobodyHasPublishedIsNamed() {
        FolderWireup wireup = new FolderWireup(folder, 0, 2);
        assertThatExceptionOfType(CommunicationException.class)
                .isThrownBy(() -> wireup.get(1, "key"))
                .withMessageContainingAll("rank 1", "key");
    }

    @Test
    void aRankMayLeaveAfterItsFolder() throws Exception {
        FolderWireup wireup = new FolderWireup(folder.resolve("job"), 0, 1);
        Files.createDirectory(folder.resolve("job"));
        Files.delete(folder.resolve("job"));
        wireup.close();
        assertThat(folder.resolve("job")).doesNotExist();
    }
}
