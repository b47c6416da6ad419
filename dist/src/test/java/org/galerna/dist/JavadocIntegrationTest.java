package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds the documentation of the API; links that lead nowhere and examples that are not as compiled are errors. */
@Tag("slow")
class JavadocIntegrationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void theSiteHasAnOverviewGroupsAndExamples() throws Exception {
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder("./galerna", "javadoc")
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process build = builder.start();
        assertThat(build.waitFor(5, TimeUnit.MINUTES)).isTrue();
        String output = Files.readString(log);
        assertThat(build.exitValue()).as(output).isZero();

        Path index = Path.of(output.strip().lines().toList().getLast());
        assertThat(index).exists().hasFileName("index.html");
        assertThat(Files.readString(index))
                .contains("Where to begin", "Ranks and tests", "Object messaging")
                .contains("MPI.Get_processor_name()");
        assertThat(Files.readString(index.resolveSibling("org.galerna.ranks/org/galerna/ranks/Ranks.html")))
                .contains("Allreduce(MPI.IN_PLACE");
        assertThat(index.resolveSibling("org.galerna.mpj/mpi/MPI.html")).exists();
        assertThat(index.resolveSibling("org.galerna.junit/org/galerna/junit/RanksTest.html"))
                .exists();
    }
}
