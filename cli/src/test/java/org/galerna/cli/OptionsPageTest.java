package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsPageTest {
    private static final String WRITE = "galerna.pages.write";
    private static final Path PAGE = Path.of("../docs/options.md");

    @Test
    void thePageSaysWhatTheCommandLineKnows() throws IOException {
        String text = OptionsPage.text();
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, text);
        }
        assertThat(PAGE)
                .as("to write it anew, run this test with -D%s=true", WRITE)
                .content()
                .isEqualTo(text);
    }
}
