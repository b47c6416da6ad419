package org.galerna.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left behind by processes that list their threads. */
class DumpFolderTest {
    @Test
    void aProcessKeepsOneFolderHoweverOftenItListsItsThreads() throws IOException {
        assertThat(VirtualThreads.find()).isNotNull();
        Path folder = DumpFolder.ofProcess();
        assertThat(VirtualThreads.find()).isNotNull();
        assertThat(DumpFolder.ofProcess()).isEqualTo(folder);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void foldersOfProcessesThatAreGoneAreRemoved(@TempDir Path parent) throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Path abandoned = Files.createDirectory(parent.resolve("galerna-threads-" + ended.pid() + "-1"));
        Files.createFile(abandoned.resolve(DumpFolder.DUMP));
        long self = ProcessHandle.current().pid();
        Path used = Files.createDirectory(parent.resolve("galerna-threads-" + self + "-2"));
        Path another = Files.createDirectory(parent.resolve("galerna-threads-of-somebody"));
        DumpFolder.removeAbandoned(parent);
        assertThat(parent).isDirectoryNotContaining(abandoned::equals);
        assertThat(used).isDirectory();
        assertThat(another).isDirectory();
    }
}
