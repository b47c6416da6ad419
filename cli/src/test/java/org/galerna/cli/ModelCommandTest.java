package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.cli.Galerna.Ended;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.DecisionTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelCommandTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void describeAMachine() throws Exception {
        Files.writeString(folder.resolve("my.machine"), """
                name = my <cluster>
                host.ranks = 16
                host.sockets = 2
                socket.latency = 0.2 us
                socket.overhead = 0.05 us
                socket.bandwidth = 8 GB/s
                network.latency = 1.0 us
                network.overhead = 0.2 us
                network.bandwidth = 24 GB/s
                """);
    }

    @Test
    void aMachineThatIsNotHereHasItsTimesAndItsTable() throws Exception {
        Ended model = new Galerna(folder)
                .run(
                        "model",
                        "-m",
                        "my.machine",
                        "--ranks",
                        "64,256",
                        "--operations",
                        "allreduce",
                        "--sizes",
                        "8,64K",
                        "--html",
                        "my.html",
                        "--json",
                        "my.json",
                        "--table",
                        "my.table");
        assertThat(model.status()).as(model.errors()).isZero();
        assertThat(model.output())
                .contains("allreduce of 8 B", "allreduce of 64 KiB", "recursiveDoubling", "<- best")
                .contains("The time grows with the ranks to the power of:");
        assertThat(Files.readString(folder.resolve("my.html"))).contains("my &lt;cluster&gt;", "<svg", "twoLevel");
        assertThat(Files.readString(folder.resolve("my.json"))).contains("\"messagesBetweenHosts\"");
        assertThat(DecisionTable.read(folder.resolve("my.table")).rules(Operation.ALLREDUCE))
                .hasSizeGreaterThan(
                        DecisionTable.standard().rules(Operation.ALLREDUCE).size());
    }

    @Test
    void theFastestAlgorithmStandsAloneAndIsDrawn() throws Exception {
        String[] command = {
            "model", "-m", "my.machine", "--ranks", "16,64,256", "--operations", "barrier,allreduce", "--sizes", "8,64K"
        };
        Ended all = new Galerna(folder).run(command);
        Ended best = new Galerna(folder).run(with(command, "--best", "--json", "best.json", "--curves", "."));
        assertThat(best.status()).as(best.errors()).isZero();
        assertThat(withoutRanks(best)).hasSize(9).isEqualTo(withoutRanks(all));
        assertThat(Files.readString(folder.resolve("best.json")).split("\"algorithm\"", -1))
                .hasSize(1 + 9);
        assertThat(lines(best, "grows with the ranks"))
                .anyMatch(line -> line.matches("simulated-8\\.svg: .* barrier \\d.*, allreduce \\d.*"))
                .anyMatch(line -> line.matches("simulated-65536\\.svg: .* allreduce \\d.*"));
        assertThat(picture("simulated-8.svg")).contains("my &lt;cluster&gt;", ">barrier<", ">allreduce<");
        assertThat(picture("simulated-65536.svg")).contains(">allreduce<").doesNotContain(">barrier<");

        Path again = Files.createDirectory(folder.resolve("again"));
        Ended drawn = new Galerna(folder).run("model", "--scaled", "best.json", "--curves", "again");
        assertThat(drawn.status()).as(drawn.errors()).isZero();
        assertThat(drawn.output().lines().toList()).hasSize(2).isEqualTo(lines(best, ".svg"));
        for (String picture : List.of("simulated-8.svg", "simulated-65536.svg")) {
            assertThat(again.resolve(picture)).hasSameTextualContentAs(folder.resolve(picture));
        }
    }

    @Test
    @Tag("slow")
    void whatHasTooManyMessagesIsSaid() throws Exception {
        Ended best = new Galerna(folder)
                .run(
                        "model",
                        "-m",
                        "my.machine",
                        "--ranks",
                        "131072",
                        "--ranks-per-host",
                        "1",
                        "--sizes",
                        "8",
                        "--operations",
                        "alltoallv,barrier",
                        "--best",
                        "--curves",
                        ".");
        assertThat(best.status()).as(best.errors()).isZero();
        assertThat(best.output()).contains("alltoallv: too many messages to simulate", "<- best");
    }

    @Test
    @Tag("slow")
    void aJobIsMeasuredAndDrawn() throws Exception {
        Ended measured = drawnAlike("threads", "--ranks", "2");
        assertThat(lines(measured, ".svg")).containsExactly("start.svg", "memory.svg", "collectives.svg");
    }

    @Test
    @Tag("slow")
    void jobsOfMoreAndMoreRanksAreMeasuredAndDrawn() throws Exception {
        Ended measured = drawnAlike(
                "jobs", "--ranks", "3,2,2", "--sizes", "12", "--deadlock-timeout", "30", "--yes", "--device", "smdev");
        assertThat(lines(measured, "ranks: wire-up")).hasSize(2);
        assertThat(lines(measured, ".svg: grows with the ranks to the power of: "))
                .hasSize(3);
        assertThat(picture("again/collectives.svg")).contains("alltoall on 3 ranks: ", "barrier on 2 ranks: ");
    }

    private Ended drawnAlike(String name, String... options) throws Exception {
        Galerna galerna = new Galerna(folder);
        Path pictures = Files.createDirectory(folder.resolve("measured"));
        String[] command = {"model", "--scale", name + ".json", "--curves", "measured"};
        Ended measured = galerna.run(with(command, options));
        assertThat(measured.status()).as(measured.errors()).isZero();
        assertThat(lines(measured, "ranks: wire-up"))
                .isNotEmpty()
                .allMatch(line ->
                        line.matches(" +[23] ranks: wire-up \\d+\\.\\d+ s; for each rank [1-9]\\d* KiB after it, "
                                + "[1-9]\\d* KiB at the end, of which objects [1-9]\\d* KiB"));
        assertThat(lines(measured, " allreduce  ")).isNotEmpty().noneMatch(line -> line.contains(" 0.0 µs"));

        Path again = Files.createDirectory(folder.resolve("again"));
        Ended drawn = galerna.run("model", "--scaled", name + ".json", "--curves", "again");
        assertThat(drawn.status()).as(drawn.errors()).isZero();
        assertThat(drawn.output().lines().toList()).isEqualTo(lines(measured, ".svg"));
        for (String picture : List.of("start.svg", "memory.svg", "collectives.svg")) {
            assertThat(again.resolve(picture)).hasSameTextualContentAs(pictures.resolve(picture));
        }
        return measured;
    }

    private String picture(String name) throws Exception {
        return Files.readString(folder.resolve(name));
    }

    /** The best ones: in a table of all algorithms the number of ranks stands at the first. */
    private static List<String> withoutRanks(Ended ended) {
        return lines(ended, "<- best").stream().map(line -> line.substring(9)).toList();
    }

    private static List<String> lines(Ended ended, String with) {
        return ended.output().lines().filter(line -> line.contains(with)).toList();
    }

    private static String[] with(String[] command, String... more) {
        return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    @Tag("slow")
    void thisMachineIsMeasuredAndCompared() throws Exception {
        Galerna galerna = new Galerna(folder);
        Ended measured = galerna.run("model", "--measure", "here.machine", "-n", "4");
        assertThat(measured.status()).as(measured.errors()).isZero();
        Ended checked = galerna.run(
                "model",
                "-m",
                "here.machine",
                "--check",
                "-n",
                "4",
                "--operations",
                "barrier,bcast",
                "--sizes",
                "8,4M");
        assertThat(checked.status()).as(checked.errors()).isZero();
        assertThat(checked.output()).contains("dissemination", "4 ranks: simulated / measured from");
        // also of those that take long: the first call waits until all ranks are there
        assertThat(lines(checked, " calls, simulated ")).isNotEmpty().allSatisfy(line -> {
            String calls = line.replaceAll(".* in (\\d+) calls, .*", "$1");
            assertThat(Integer.parseInt(calls)).as(line).isGreaterThanOrEqualTo(16);
        });
    }
}
