package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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
                .contains("allreduce of 8 B", "allreduce of 65536 B", "recursiveDoubling", "<- best")
                .contains("The time grows with the ranks to the power of:");
        assertThat(Files.readString(folder.resolve("my.html"))).contains("my &lt;cluster&gt;", "<svg", "twoLevel");
        assertThat(Files.readString(folder.resolve("my.json"))).contains("\"messagesBetweenHosts\"");
        assertThat(DecisionTable.read(folder.resolve("my.table")).rules(Operation.ALLREDUCE))
                .hasSizeGreaterThan(
                        DecisionTable.standard().rules(Operation.ALLREDUCE).size());
    }

    @Test
    @Tag("slow")
    void thisMachineIsMeasuredAndCompared() throws Exception {
        Galerna galerna = new Galerna(folder);
        Ended measured = galerna.run("model", "--measure", "here.machine", "-n", "4");
        assertThat(measured.status()).as(measured.errors()).isZero();
        Ended checked = galerna.run(
                "model", "-m", "here.machine", "--check", "-n", "4", "--operations", "barrier,bcast", "--sizes", "8");
        assertThat(checked.status()).as(checked.errors()).isZero();
        assertThat(checked.output()).contains("dissemination", "4 ranks: simulated / measured from");
    }
}
