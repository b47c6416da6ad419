package org.galerna.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpusTest {
    @TempDir
    private Path cpus;

    private void cpu(int number, String packageNumber) throws IOException {
        Path folder = Files.createDirectories(cpus.resolve("cpu" + number + "/topology"));
        Files.writeString(folder.resolve("physical_package_id"), packageNumber + "\n");
    }

    private static BitSet set(int... numbers) {
        BitSet set = new BitSet();
        for (int number : numbers) {
            set.set(number);
        }
        return set;
    }

    @Test
    void processorsOfOnePackageNameIt() throws IOException {
        for (int number = 0; number < 8; number++) {
            cpu(number, number % 2 == 0 ? "3" : "7");
        }
        cpu(8, "none");
        assertThat(Cpus.packageOf(set(0, 2, 6), cpus)).hasValue(3);
        assertThat(Cpus.packageOf(set(5), cpus)).hasValue(7);
        assertThat(Cpus.packageOf(set(0, 1, 2), cpus)).as("of both").isEmpty();
        assertThat(Cpus.packageOf(set(0, 8), cpus)).as("not told").isEmpty();
        assertThat(Cpus.packageOf(set(9), cpus)).as("unknown").isEmpty();
        assertThat(Cpus.packageOf(set(), cpus)).isEmpty();
    }

    @Test
    void theMachineHasAsManyProcessorsForABoundProcess() throws Exception {
        Process bound = new ProcessBuilder(
                        "taskset",
                        "-c",
                        String.valueOf(Cpus.ofCaller().nextSetBit(0)),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Counts.class.getName())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(bound.getInputStream().readAllBytes(), UTF_8).strip())
                .isEqualTo("1 " + Cpus.ofMachine());
    }

    /** Prints both numbers. */
    static final class Counts {
        private Counts() {}

        /** Begins. */
        public static void main(String[] arguments) {
            System.out.println(Cpus.available() + " " + Cpus.ofMachine());
        }
    }
}
