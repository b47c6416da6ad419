package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A rank that is killed or stopped, whatever MPI call the others are in: it fails on all of them, and in time. */
@Tag("slow")
class LossTest {
    private static final Duration STARTING = Duration.ofSeconds(60);
    private static final Duration NOTICING = Duration.ofSeconds(10);
    private static final List<String> CALLS = List.of(
            "receive",
            "probe",
            "wildcard",
            "eager",
            "rendezvous",
            "barrier",
            "bcast",
            "gather",
            "gatherv",
            "scatter",
            "scatterv",
            "allgather",
            "allgatherv",
            "alltoall",
            "alltoallv",
            "reduce",
            "allreduce",
            "reduce_scatter",
            "scan");

    private Path folder;

    @BeforeEach
    void makeTheFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("/dev/shm"), "galerna-test");
    }

    @AfterEach
    void removeTheFolder() throws IOException {
        for (Path each : left().reversed()) {
            Files.delete(each);
        }
        Files.delete(folder);
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(each -> !each.equals(folder)).sorted().toList();
        }
    }

    static Stream<Arguments> everything() {
        return Stream.of("shmdev", "niodev", "hybdev")
                .flatMap(device -> Stream.of("KILL", "STOP")
                        .flatMap(signal -> CALLS.stream().map(call -> Arguments.of(device, signal, call))));
    }

    @Fault(
            value = {17, 18},
            on = {Where.SHM, Where.TCP})
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("everything")
    void everyCallFails(String device, String signal, String call) throws Exception {
        failsOnAll(device, signal, call);
    }

    static Stream<Arguments> everythingOverLibraries() {
        return Stream.of("ofidev", "ucxdev").flatMap(device -> CALLS.stream().map(call -> Arguments.of(device, call)));
    }

    @Fault(
            value = {17, 18},
            on = {Where.OFI, Where.UCX})
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("everythingOverLibraries")
    void everyCallFailsOverLibrariesOfNetworks(String device, String call) throws Exception {
        (device.equals("ofidev") ? OfiLibrary.unavailable() : UcxLibrary.unavailable()).ifPresent(Assumptions::abort);
        failsOnAll(device, "KILL", call);
    }

    @Fault(
            value = {16, 17},
            on = {Where.SHM, Where.TCP})
    @ParameterizedTest
    @CsvSource({"shmdev, KILL, allreduce", "niodev, KILL, rendezvous", "hybdev, KILL, barrier"})
    void someCallsFail(String device, String signal, String call) throws Exception {
        failsOnAll(device, signal, call);
    }

    private void failsOnAll(String device, String signal, String call) throws Exception {
        // whoever receives from anybody still hopes for a message while another rank is there
        int size = call.equals("wildcard") ? 2 : 3;
        List<String> options = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-Dgalerna.device=" + device,
                "-Dgalerna.shm.folder=" + folder);
        try (RankProcesses job = RankProcesses.start(size, options, LossProgram.class, call)) {
            for (int rank = 0; rank < size; rank++) {
                job.rank(rank).awaitOut(out -> out.contains("ready"), STARTING);
            }
            job.rank(0).signal(signal);
            List<String> failures = new ArrayList<>();
            for (int rank = 1; rank < size; rank++) {
                job.rank(rank).awaitOut(out -> out.contains("failed"), NOTICING);
                assertThat(job.rank(rank).awaitExit(STARTING)).isEqualTo(3);
                failures.add(job.rank(rank).out());
            }
            // a rank that waits for one that has failed because of rank 0 may learn of that one's end first
            assertThat(failures)
                    .allMatch(failure -> failure.contains(" gone") || failure.contains(" has left the job without "))
                    .anyMatch(failure ->
                            failure.contains("rank 0 is gone") || failure.contains("all other ranks are gone"));
            if (call.equals("allreduce") || call.equals("barrier")) {
                assertThat(failures)
                        .allSatisfy(failure -> assertThat(failure)
                                .containsPattern("(?i)(see first why that rank has ended|end after them) \\(in " + call
                                        + "[^)]*; algorithm: \\w+"));
            }
            if (signal.equals("KILL")) {
                assertThat(left()).isEmpty();
            }
        }
    }
}
