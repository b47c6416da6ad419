package org.galerna.link.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
    @TempDir
    private Path folder;

    @Test
    void isReadWhereOthersCannot() throws IOException {
        Path file = Files.writeString(folder.resolve("key"), "one\ntwo\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(SecretFile.lines(file, "the keys")).containsExactly("one", "two");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatIOException()
                .isThrownBy(() -> SecretFile.lines(file, "the keys"))
                .withMessage("all users of this host can read the keys in %s: chmod o-r %s", file, file);
    }

    @Test
    void oneThatIsMissingIsNamed() {
        Path file = folder.resolve("none");
        assertThatIOException()
                .isThrownBy(() -> SecretFile.lines(file, "the keys"))
                .withMessage("there is no file %s with the keys", file);
    }
}
