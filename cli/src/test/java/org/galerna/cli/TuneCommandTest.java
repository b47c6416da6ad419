package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.galerna.cli.Galerna.Ended;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.DecisionTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuneCommandTest {
    @TempDir
    private Path folder;

    @Test
    @Tag("slow")
    void whatIsMeasuredBecomesATable() throws Exception {
        Ended tune = new Galerna(folder)
                .run("tune", "-n", "3", "--operations", "bcast,barrier", "--sizes", "8", "--quick", "-o", "my.table");
        assertThat(tune.status()).as(tune.errors()).isZero();
        assertThat(tune.output())
                .contains(
                        "barrier",
                        "bcast            2 ranks         8 B:",
                        "bcast            3 ranks         8 B:",
                        "binomial")
                .contains("my.table");
        List<DecisionTable.Rule> measured =
                DecisionTable.read(folder.resolve("my.table")).rules(Operation.BCAST).stream()
                        .filter(rule -> rule.device().equals("smdev"))
                        .toList();
        assertThat(measured).extracting(DecisionTable.Rule::ranks).contains(3, Integer.MAX_VALUE);
        assertThat(Files.readString(folder.resolve("my.table"))).doesNotContain("allreduce");
    }

    @Test
    @Tag("slow")
    void aTableIsComparedWithTheStandardOneWhereTheyDiffer() throws Exception {
        Files.writeString(folder.resolve("my.table"), """
                bcast  smdev  *  *  linear
                bcast  *      *  *  binomial
                """);
        Ended compare = new Galerna(folder)
                .run(
                        "tune",
                        "-n",
                        "2",
                        "--operations",
                        "bcast,barrier",
                        "--sizes",
                        "8,64K",
                        "--quick",
                        "--compare",
                        "my.table");
        assertThat(compare.output())
                .contains("bcast            2 ranks         8 B:", ", linear ", "2 of 3 choices compared: ");
        // whichever is faster: what was slower is measured in a second job, whose result counts
        List<String> jobs = compare.output()
                .lines()
                .filter(line -> line.contains("choices compared"))
                .toList();
        assertThat(jobs).hasSize(jobs.getFirst().endsWith(" 0 slower") ? 1 : 2);
        assertThat(compare.status())
                .as(compare.errors())
                .isEqualTo(jobs.getLast().endsWith(" 0 slower") ? 0 : 1);
        Ended missing = Galerna.refused("tune", "--compare", "missing.table");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.errors()).contains("missing.table");
    }

    @Test
    void wrongOptionsAreNamed() throws Exception {
        Ended unknown = Galerna.refused("tune", "--operations", "broadcast");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.errors()).contains("no collective operation named \"broadcast\"", "bcast");
        Ended nowhere = Galerna.refused("tune", "-o", "missing/my.table");
        assertThat(nowhere.status()).isEqualTo(2);
        assertThat(nowhere.errors()).contains("there is no folder");
        Ended option = new Galerna(folder).run("tune", "--nonsense"); // the job's command refuses it
        assertThat(option.status()).isEqualTo(2);
        assertThat(option.errors()).contains("--nonsense");
    }
}
