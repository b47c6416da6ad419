package org.galerna.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.galerna.bench.report.KeptPicture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ModelPicturesTest {
    private static final Path DOCS = Path.of("../docs");
    private static final String PICTURE = "simulated-8.svg";

    @TempDir
    private Path folder;

    /** The page shows what its report says, drawn as it is drawn now, and the powers in it are those of the report. */
    @Test
    void pictureOfThePageIsThatOfItsReport() throws Exception {
        String growth =
                ModelJson.read(DOCS.resolve("reports/simulated-fat-nodes.json")).draw(folder);
        KeptPicture.check(PICTURE, folder.resolve(PICTURE));
        String page = Files.readString(DOCS.resolve("model.md"));
        for (String power : growth.strip().replaceFirst(".*: ", "").split(", ")) {
            String[] words = power.split(" ");
            assertThat(page).containsPattern("\\| " + words[0] + " \\|.*\\| " + words[1] + " \\|");
        }
    }
}
