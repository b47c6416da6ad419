package org.galerna.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.galerna.bench.model.PublishedTimes.Compared;
import org.galerna.collectives.algorithm.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PublishedTimesTest {
    private static final Path CLUSTERS = Path.of("../docs/cluster");

    @TempDir
    private Path folder;

    private static List<Compared> compare(String machine, int least, int most) throws Exception {
        return PublishedTimes.read(CLUSTERS.resolve(machine + ".times"))
                .between(least, most)
                .compare(Machine.read(CLUSTERS.resolve(machine + ".machine")));
    }

    private PublishedTimes read(String... lines) throws Exception {
        Path file = folder.resolve("my.times");
        Files.write(file, List.of(lines));
        return PublishedTimes.read(file);
    }

    @Test
    void timesStandBesideWhatIsSimulated() throws Exception {
        Machine machine = Machine.read(CLUSTERS.resolve("fat-nodes.machine"));
        Study study = new Study(machine);
        List<Compared> compared = read("# measured", "", "allgather ring 8 4=2 8=5", "barrier best 0 16=1.5")
                .compare(machine);
        assertThat(compared).extracting(each -> each.time().ranks()).containsExactly(4, 8, 16);
        List<Study.Row> four = study.rows(Operation.ALLGATHER, 4, 32);
        double ring = four.stream()
                .filter(row -> row.algorithm().equals("ring"))
                .findFirst()
                .orElseThrow()
                .seconds();
        assertThat(compared.getFirst().seconds())
                .as("blocks of 8 bytes of 4 ranks")
                .isEqualTo(ring);
        assertThat(compared.getFirst().ratio()).isEqualTo(ring / 2e-6);
        assertThat(compared.getLast().seconds())
                .isEqualTo(study.rows(Operation.BARRIER, 16, 0).stream()
                        .mapToDouble(Study.Row::seconds)
                        .min()
                        .orElseThrow());
        assertThat(PublishedTimes.text(compared)).contains("ring", "8 ranks: ", "of 3 within 1.5");
    }

    @Test
    void wrongLinesAreNamed() {
        for (String wrong : List.of("allgather ring 8 4:2", "dance ring 8 4=2", "allgather ring", "bcast ring x 4=2")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> read("barrier best 0 4=2", wrong))
                    .withMessageContaining("my.times: \"" + wrong + "\"");
        }
    }

    /** What the parameters were fitted to. */
    @Test
    void theModelFollowsSummit() throws Exception {
        List<Compared> compared = compare("summit", 4, 64);
        assertThat(compared).hasSizeGreaterThan(200);
        assertThat(PublishedTimes.median(compared)).isLessThan(1.4);
        assertThat(PublishedTimes.near(compared)).isGreaterThan(0.6);
    }

    /** What they were not fitted to. */
    @Test
    @Tag("slow")
    void theModelPredictsLargeMachines() throws Exception {
        assertThat(PublishedTimes.median(compare("summit", 512, 512))).isLessThan(PublishedTimes.NEAR);
        assertThat(PublishedTimes.near(compare("theta", 768, 3072))).isEqualTo(1);
    }
}
