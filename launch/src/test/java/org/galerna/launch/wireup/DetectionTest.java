package org.galerna.launch.wireup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.galerna.link.CommunicationException;
import org.galerna.link.wireup.WireupProvider;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which manager is taken for the one that has started a process, from its environment alone. */
class DetectionTest {
    /** What a task of {@code srun -n 4} finds, whatever is between. */
    private static final Map<String, String> SLURM =
            Map.of("SLURM_JOB_ID", "12", "SLURM_STEP_ID", "0", "SLURM_PROCID", "2", "SLURM_STEP_NUM_TASKS", "4");

    private static Map<String, String> with(Map<String, String> environment, String... more) {
        Map<String, String> all = new HashMap<>(environment);
        for (int index = 0; index < more.length; index += 2) {
            all.put(more[index], more[index + 1]);
        }
        return all;
    }

    @Test
    void theInnermostIsAskedFirst() {
        assertThat(ServiceLoader.load(WireupProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(provider -> provider.getClass().getPackage().equals(Pmi1Wireup.class.getPackage()))
                        .sorted(Comparator.comparingInt(WireupProvider::precedence))
                        .map(WireupProvider::name))
                .containsExactly("PMI-2", "PMI-1", "PMIx", "PALS", "Slurm");
    }

    @Test
    void aPlainProcessHasNone() {
        for (WireupProvider provider : ServiceLoader.load(WireupProvider.class)) {
            assertThat(provider.detect(Map.of("PATH", "/bin"))).isEmpty();
        }
    }

    /** A process below a rank inherits the variable, and not the descriptor. */
    @Test
    void aDescriptorThatIsNotOpenDoesNotCount() {
        Map<String, String> stale = Map.of("PMI_FD", "999999", "PMI_RANK", "0", "PMI_SIZE", "2", "PMI_JOBID", "1.0");
        assertThat(new Pmi1Wireup().detect(stale)).isEmpty();
        assertThat(new Pmi2Wireup().detect(stale)).isEmpty();
    }

    @Test
    void aDescriptorOfSomethingElseDoesNotCount() {
        Map<String, String> file = Map.of("PMI_FD", "0", "PMI_RANK", "0", "PMI_SIZE", "2");
        assertThat(new Pmi1Wireup().detect(file)).isEmpty();
        assertThat(new Pmi1Wireup().detect(Map.of("PMI_FD", "../0"))).isEmpty();
    }

    @Test
    void whatSlurmHasLeftIsNotHydras() {
        Map<String, String> hydraInSlurm = with(SLURM, "PMI_JOBID", "12.0", "PMI_FD", "7", "HYDI_CONTROL_FD", "8");
        assertThat(new Pmi2Wireup().detect(hydraInSlurm)).isEmpty();
    }

    /** The shell of salloc, a batch script, a step of one task: each is a program that was started plainly. */
    @Test
    void notEveryProcessWithinSlurmIsATask() {
        SlurmWireup slurm = new SlurmWireup();
        assertThat(slurm.detect(Map.of("SLURM_JOB_ID", "12", "SLURM_NTASKS", "4")))
                .isEmpty();
        assertThat(slurm.detect(Map.of("SLURM_JOB_ID", "12", "SLURM_PROCID", "0", "SLURM_NTASKS", "4")))
                .isEmpty();
        assertThat(slurm.detect(with(SLURM, "SLURM_STEP_NUM_TASKS", "1"))).isEmpty();
    }

    @Test
    void tasksWithoutPmiAreRefused() {
        assertThatThrownBy(() -> new SlurmWireup().detect(SLURM))
                .isInstanceOf(CommunicationException.class)
                .hasMessageStartingWith(
                        "this process is task 2 of 4 of Slurm's step 12.0, but with --mpi=none its tasks");
    }

    @Test
    void whatPalsHasWrittenTellsHowManyThereAre(@TempDir Path folder) throws Exception {
        ByteBuffer info = ByteBuffer.allocate(256).order(ByteOrder.nativeOrder());
        info.putInt(0, 1).putLong(8, 256).putInt(80, 4);
        Path file = Files.write(folder.resolve("apinfo"), info.array());
        Map<String, String> environment =
                Map.of("PALS_APID", "12.0", "PALS_RANKID", "2", "PALS_APINFO", file.toString());
        assertThat(PalsManager.size(environment)).isEqualTo(4);
        Files.write(file, info.putInt(80, 1).array());
        assertThat(new PalsWireup().detect(environment)).as("one process").isEmpty();
        Files.write(file, info.putLong(8, 257).array());
        assertThatThrownBy(() -> new PalsWireup().detect(environment))
                .isInstanceOf(CommunicationException.class)
                .hasMessageContaining("is not what PALS writes");
        Files.write(file, new byte[83]);
        assertThatThrownBy(() -> new PalsWireup().detect(environment)).hasMessageContaining("has 83 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pmi | system property galerna.wireup must be auto, none or one of [",
                "PMIx | system property galerna.wireup says PMIx, but no such launcher has started this process"
            })
    void aChoiceThatCannotBeIsNamed(String choice, String message) throws Exception {
        List<String> command =
                ChildProcess.java(List.of("-Dgalerna.wireup=" + choice), RankProgram.class, List.of("exchange"));
        try (ChildProcess process = ChildProcess.start(command)) {
            assertThat(process.awaitExit(Duration.ofSeconds(30))).isEqualTo(1);
            assertThat(process.err()).contains(message);
        }
    }
}
