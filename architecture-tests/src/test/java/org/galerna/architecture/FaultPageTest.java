package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FaultPageTest {
    private static final Path PAGE = SourceFiles.ROOT.resolve("docs/faults.md");
    private static final String WRITE = "galerna.faults.write";

    private final FaultPage page = new FaultPage();

    FaultPageTest() throws IOException {}

    @Test
    void testsAreForFaultsOfTheList() {
        assertThat(page.unknown()).isEmpty();
        assertThat(page.contradictions()).isEmpty();
    }

    @Test
    void thePageIsUpToDate() throws IOException {
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, page.text());
        }
        assertThat(PAGE)
                .as("to write it anew, run this test with -D%s=true", WRITE)
                .content()
                .isEqualTo(page.text());
    }
}
