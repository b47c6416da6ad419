package org.galerna.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A picture in a page, which is drawn from a report that is kept. */
public final class KeptPicture {
    private static final String WRITE = "galerna.pages.write";
    private static final Path FOLDER = Path.of("../docs/curves");

    private KeptPicture() {}

    /** Fails unless the picture of that name is as it is drawn now; draws it anew if the property of pages says so. */
    public static void check(String name, Path drawnNow) throws IOException {
        Path picture = FOLDER.resolve(name);
        String drawn = Files.readString(drawnNow);
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(picture, drawn);
        } else {
            assertThat(picture)
                    .as("to draw it anew, run this test with -D%s=true", WRITE)
                    .hasContent(drawn);
        }
    }
}
