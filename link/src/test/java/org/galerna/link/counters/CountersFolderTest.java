package org.galerna.link.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersFolderTest {
    private static final int JOBS = 300;

    @Test
    void jobsThatBeganLastComeFirst(@TempDir Path ofUser) throws Exception {
        for (Path each : make(ofUser, 3)) {
            int number = Integer.parseInt(each.getFileName().toString());
            Path ignored = Files.setLastModifiedTime(each, FileTime.fromMillis(1000L * number));
        }
        assertThat(CountersFolder.jobs(ofUser))
                .extracting(each -> each.getFileName().toString())
                .containsExactly("2", "1", "0");
        assertThat(CountersFolder.jobs(ofUser.resolve("none"))).isEmpty();
    }

    @Test
    void jobsAreFoundWhileTheirRanksStartAndEnd(@TempDir Path ofUser) throws Exception {
        List<Path> jobs = make(ofUser, JOBS);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> ranks = CompletableFuture.runAsync(() -> {
            Random random = new Random(1);
            while (!over.get()) {
                boolean ignored =
                        jobs.get(random.nextInt(JOBS)).toFile().setLastModified(1000L * random.nextInt(100_000));
            }
        });
        try {
            for (int look = 0; look < 50; look++) {
                assertThat(CountersFolder.jobs(ofUser)).hasSize(JOBS);
            }
        } finally {
            over.set(true);
        }
        ranks.get();
    }

    private static List<Path> make(Path ofUser, int count) throws Exception {
        List<Path> made = new ArrayList<>();
        for (int each = 0; each < count; each++) {
            made.add(Files.createDirectory(ofUser.resolve(String.valueOf(each))));
        }
        return made;
    }
}
