package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches that nobody uses any more are removed, and those that somebody uses stay. */
class CacheFilesTest {
    private static final Duration LONG_AGO = CacheFiles.KEPT.plusHours(1);
    private static final Duration LATELY = CacheFiles.KEPT.minusHours(1);

    @TempDir
    Path folder;

    private Path file(String name, Duration age) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "a");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
        return file;
    }

    private Duration age(Path file) throws IOException {
        return Duration.between(Files.getLastModifiedTime(file).toInstant(), Instant.now());
    }

    @Test
    void whatNobodyHasUsedForAMonthIsRemoved() throws IOException {
        file("ranks-1-2.aot", LONG_AGO);
        file("profiled-1-2.aot", LONG_AGO);
        file("threads-1-2.aot", LONG_AGO);
        file("ranks-1-log", LONG_AGO);
        file("calls-123.tmp", LONG_AGO);
        file("ranks-1-draft.config", LONG_AGO);
        Path young = file("ranks-2-2.aot", LATELY);
        Path library = file("calls-1.so", LONG_AGO);
        Path lock = file("lock", LONG_AGO);
        Path anotherFolder = Files.createDirectory(folder.resolve("ranks-of-somebody"));
        Files.setLastModifiedTime(anotherFolder, FileTime.from(Instant.now().minus(LONG_AGO)));
        CacheFiles.removeUnused(folder);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(young, library, lock, anotherFolder);
        }
    }

    @Test
    void whatIsUsedStays() throws IOException {
        Path old = file("ranks-1-2.aot", LONG_AGO);
        assertThat(CacheFiles.use(old)).isTrue();
        CacheFiles.removeUnused(folder);
        assertThat(old).exists();
        assertThat(age(old)).isLessThan(Duration.ofHours(1));
    }

    @Test
    void theTimeOfAFileIsChangedOnceADay() throws IOException {
        Path file = file("ranks-1-2.aot", Duration.ofHours(23));
        assertThat(CacheFiles.use(file)).isTrue();
        assertThat(age(file)).isGreaterThan(Duration.ofHours(22));
    }

    @Test
    void whatAnotherProcessHasRemovedIsNotUsed() throws IOException {
        assertThat(CacheFiles.use(folder.resolve("ranks-1-2.aot"))).isFalse();
    }
}
