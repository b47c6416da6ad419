package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.galerna.memory.Topology.Core;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines made of files. */
class TopologyTest {
    @TempDir
    Path root;

    private void file(String path, Object text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.writeString(file, text + "\n");
        } catch (IOException unwritable) {
            throw new AssertionError(unwritable);
        }
    }

    private void allow(String list) {
        file("proc/self/status", "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t" + list + "\nMems_allowed:\t1");
    }

    private void cpu(int cpu, int socket, String siblings) {
        String folder = "sys/devices/system/cpu/cpu" + cpu + "/topology/";
        file(folder + "physical_package_id", socket);
        file(folder + "core_cpus_list", siblings);
    }

    private void cache(int cpu, int index, int level, String type, String sharing) {
        String folder = "sys/devices/system/cpu/cpu" + cpu + "/cache/index" + index + "/";
        file(folder + "level", level);
        file(folder + "type", type);
        file(folder + "shared_cpu_list", sharing);
    }

    private void online(String list) {
        file("sys/devices/system/cpu/online", list);
    }

    private void node(int node, String list) {
        file("sys/devices/system/node/node" + node + "/cpulist", list);
    }

    /** Two sockets of four cores with two threads each; the numbers of the sockets alternate, as some firmware does. */
    private void twoSocketsWithTwoThreadsPerCore() {
        online("0-15");
        allow("0-15");
        for (int cpu = 0; cpu < 16; cpu++) {
            int core = cpu % 8;
            String siblings = core + "," + (core + 8);
            cpu(cpu, core % 2, siblings);
            cache(cpu, 0, 1, "Data", siblings);
            cache(cpu, 1, 1, "Instruction", siblings);
            cache(cpu, 2, 2, "Unified", siblings);
            cache(cpu, 3, 3, "Unified", core % 2 == 0 ? "0,2,4,6,8,10,12,14" : "1,3,5,7,9,11,13,15");
        }
        node(0, "0,2,4,6,8,10,12,14");
        node(1, "1,3,5,7,9,11,13,15");
    }

    @Test
    void neighboursShareASocket() {
        twoSocketsWithTwoThreadsPerCore();
        Topology topology = Topology.read(root);
        assertThat(topology.cores())
                .extracting(Core::cpus)
                .containsExactly(
                        List.of(0, 8),
                        List.of(2, 10),
                        List.of(4, 12),
                        List.of(6, 14),
                        List.of(1, 9),
                        List.of(3, 11),
                        List.of(5, 13),
                        List.of(7, 15));
        assertThat(topology.processors()).isEqualTo(16);
        assertThat(topology.sockets()).isEqualTo(2);
        assertThat(topology.nodes()).isEqualTo(2);
        assertThat(topology.l3Caches()).isEqualTo(2);
        assertThat(topology.l2Caches()).isEqualTo(8);
        assertThat(topology.cores().getLast()).isEqualTo(new Core(7, List.of(7, 15), 1, 1, 1, 7));
    }

    @Test
    void theMaskOfTheProcessCounts() {
        twoSocketsWithTwoThreadsPerCore();
        allow("3,10-11,13");
        Topology topology = Topology.read(root);
        assertThat(topology.cores())
                .containsExactly(
                        new Core(2, List.of(10), 0, 0, 0, 2),
                        new Core(3, List.of(3, 11), 1, 1, 1, 3),
                        new Core(5, List.of(13), 1, 1, 1, 5));
        assertThat(topology.mask().stream()).containsExactly(3, 10, 11, 13);
    }

    @Test
    void oneNodePerCoreComplexKeepsTheComplexesTogether() {
        online("0-7");
        allow("0-7");
        for (int cpu = 0; cpu < 8; cpu++) {
            cpu(cpu, 0, String.valueOf(cpu));
            cache(cpu, 3, 3, "Unified", cpu % 2 == 0 ? "0,2,4,6" : "1,3,5,7");
            cache(cpu, 2, 2, "Unified", String.valueOf(cpu));
        }
        node(0, "1,3,5,7");
        node(1, "0,2,4,6");
        node(2, ""); // memory alone
        Topology topology = Topology.read(root);
        assertThat(topology.cores()).extracting(Core::id).containsExactly(1, 3, 5, 7, 0, 2, 4, 6);
        assertThat(topology.sockets()).isEqualTo(1);
        assertThat(topology.nodes()).isEqualTo(2);
    }

    @Test
    void coresOfAClusterShareTheirL2() {
        online("0-3");
        allow("0-3");
        for (int cpu = 0; cpu < 4; cpu++) {
            file("sys/devices/system/cpu/cpu" + cpu + "/topology/physical_package_id", -1);
            file("sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list", cpu);
            cache(cpu, 2, 2, "Unified", cpu < 2 ? "0-1" : "2-3");
        }
        Topology topology = Topology.read(root);
        assertThat(topology.l2Caches()).isEqualTo(2);
        assertThat(topology.l3Caches()).isZero();
        assertThat(topology.sockets()).isEqualTo(1);
    }

    @Test
    void processorsThatAreOfflineAreLeftOut() {
        online("0,2-3");
        allow("0-3");
        for (int cpu : new int[] {0, 2, 3}) {
            cpu(cpu, 0, cpu == 0 ? "0" : "2-3");
        }
        assertThat(Topology.read(root).cores()).extracting(Core::cpus).containsExactly(List.of(0), List.of(2, 3));
    }

    @Test
    void withoutTopologyEveryProcessorIsACore() {
        allow("4-6");
        assertThat(Topology.read(root).cores())
                .extracting(Core::cpus)
                .containsExactly(List.of(4), List.of(5), List.of(6));
    }

    @Test
    void withoutAnythingThereAreEqualProcessors() {
        assertThat(Topology.read(root.resolve("nowhere"))).isEqualTo(Topology.uniform(Cpus.available()));
    }

    @Test
    void nonsenseCountsAsMissing() {
        online("many");
        allow("0-1");
        cpu(0, 0, "7");
        cpu(1, 0, "0-");
        file("sys/devices/system/cpu/cpu0/topology/physical_package_id", "seven");
        file("sys/devices/system/cpu/cpu0/cache/index3/level", "three");
        node(0, "x");
        assertThat(Topology.read(root)).isEqualTo(Topology.uniform(2));
    }

    @Test
    void thisMachineHasAtLeastAsManyProcessorsAsTheVirtualMachineUses() {
        Topology topology = Topology.ofMachine();
        assertThat(topology.processors()).isGreaterThanOrEqualTo(Cpus.available());
        assertThat(topology.mask().cardinality()).isEqualTo(topology.processors());
    }

    @Test
    void aMachineHasAtLeastOneCore() {
        assertThatThrownBy(() -> Topology.uniform(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
