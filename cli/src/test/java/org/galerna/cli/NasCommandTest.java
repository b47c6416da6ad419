package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.galerna.cli.Galerna.Ended;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NasCommandTest {
    @TempDir
    private Path folder;

    @Test
    void aKernelPrintsItsBlock() throws Exception {
        Ended nas = new Galerna(folder).run("nas", "is", "--class", "s", "-n", "2");
        assertThat(nas.status()).as(nas.errors()).isZero();
        assertThat(nas.output())
                .contains("IS Benchmark Completed.")
                .containsPattern("Total processes +=\\s+2\n")
                .containsPattern("Verification +=\\s+SUCCESSFUL\n");
    }

    @Test
    @Tag("slow")
    void ranksMayBeProcessesAndTheCollectorAnother() throws Exception {
        Ended nas = new Galerna(folder).run("nas", "-n", "2", "--procs", "-J-XX:+UseSerialGC", "mg", "--threads", "2");
        assertThat(nas.status()).as(nas.errors()).isZero();
        assertThat(nas.output()).containsPattern("Total threads +=\\s+4\n").contains("SUCCESSFUL");
    }

    @ParameterizedTest
    @CsvSource({
        "'nas lu', 'there is no kernel \"lu\": choose one of cg, ep, ft, is, mg'",
        "'nas mg -n 3', 'MG takes a power of two of ranks, not 3'",
    })
    void aMistakeIsOneLine(String line, String expected) throws Exception {
        isOneLine(line, expected);
    }

    @ParameterizedTest
    @CsvSource({
        "'nas', 'a kernel is missing'",
        "'nas cg mg', '\"mg\" is one argument too many'",
        "'nas cg --class', '--class needs a value'",
        "'nas cg --class Q', '--class is S, W, A, B, C or D, not \"Q\"'",
        "'nas cg --threads 0', '--threads takes a number from 1 to 256, not 0'",
    })
    @Tag("slow")
    void everyOtherMistakeIsOneLine(String line, String expected) throws Exception {
        isOneLine(line, expected);
    }

    private void isOneLine(String line, String expected) throws Exception {
        Ended nas = new Galerna(folder).run(line.split(" "));
        assertThat(nas.status()).isEqualTo(2);
        assertThat(nas.errors()).contains(expected).doesNotContain("\tat ");
        assertThat(nas.errors().lines().count()).isEqualTo(1);
    }
}
