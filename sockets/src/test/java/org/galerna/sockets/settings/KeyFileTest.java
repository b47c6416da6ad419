package org.galerna.sockets.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.galerna.nativeaccess.file.PosixFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFileTest {
    private static final int USER = PosixFiles.instance().orElseThrow().user();

    @TempDir
    private Path folder;

    private Path file(String content, String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    @Test
    void readsAKeyWithoutTheEndOfItsLine() throws IOException {
        assertThat(KeyFile.read(file("0123456789abcdef\r\n", "rw-------"), USER))
                .isEqualTo("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void refusesAFileThatOthersCanRead() throws IOException {
        Path file = file("0123456789abcdef", "rw-r-----");
        assertThatThrownBy(() -> KeyFile.read(file, USER)).hasMessageContaining("chmod 600");
    }

    @Test
    void refusesAFileOfSomebodyElse() throws IOException {
        Path file = file("0123456789abcdef", "rw-------");
        assertThatThrownBy(() -> KeyFile.read(file, USER + 1)).hasMessageContaining("must belong to user");
    }

    @Test
    void refusesAShortKey() throws IOException {
        Path file = file("0123456789abcde\n", "r--------");
        assertThatThrownBy(() -> KeyFile.read(file, USER)).hasMessageContaining("15 bytes");
    }

    @Test
    void saysWhatToDoWithoutAFile() {
        assertThatThrownBy(() -> KeyFile.read(folder.resolve("none"), USER))
                .hasMessageContaining("does not exist")
                .hasMessageContaining("galerna.sockets.key");
    }
}
