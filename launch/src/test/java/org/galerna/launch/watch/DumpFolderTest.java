package org.galerna.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is left behind by processes that list their threads. */
class DumpFolderTest {
    @Test
    void aProcessKeepsOneFolderHoweverOftenItListsItsThreads() throws IOException {
        assertThat(VirtualThreads.find()).isNotNull();
        Path folder = DumpFolder.ofProcess();
        assertThat(VirtualThreads.find()).isNotNull();
        assertThat(DumpFolder.ofProcess()).isEqualTo(folder);
        assertThat(folder.resolve(DumpFolder.DUMP)).doesNotExist();
    }
}
