package org.galerna.tools.tests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Lines of logs, in which tests may have written anything. */
final class Lines {
    private Lines() {}

    /** The lines of a file; what is no text in UTF-8 is replaced. */
    static List<String> of(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    /** The last lines, so many at most. */
    static List<String> last(List<String> lines, int most) {
        return lines.subList(Math.max(0, lines.size() - most), lines.size());
    }
}
