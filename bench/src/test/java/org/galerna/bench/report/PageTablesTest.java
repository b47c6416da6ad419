package org.galerna.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of figures in pages are the medians of the reports that they name, at all sizes. */
class PageTablesTest {
    private static final String WRITE = "galerna.pages.write";
    private static final Path DOCS = Path.of("../docs");

    @ParameterizedTest
    @ValueSource(strings = {"../README.md", "../docs/performance.md", "../docs/papers.md"})
    void tablesOfPagesAreThoseOfTheirReports(String name) throws IOException {
        Path page = Path.of(name);
        String text = Files.readString(page);
        String updated = PageTables.update(text, DOCS);
        assertThat(PageTables.count(text)).isPositive();
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(page, updated);
        } else {
            assertThat(text)
                    .as("to write it anew, run this test with -D%s=true", WRITE)
                    .isEqualTo(updated);
        }
    }
}
