package org.galerna.memory;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.galerna.memory.Topology.Core;

/** Reads a {@link Topology} from the files of Linux. */
final class TopologyReader {
    private static final String ALLOWED = "Cpus_allowed_list:";

    private final Path cpuFolder;
    private final Path nodeFolder;
    private final Path status;

    TopologyReader(Path root) {
        this.cpuFolder = root.resolve("sys/devices/system/cpu");
        this.nodeFolder = root.resolve("sys/devices/system/node");
        this.status = root.resolve("proc/self/status");
    }

    /** The order of neighbours. Launchers sort at their start: the classes of comparators of keys would be made then. */
    private static int compare(Core one, Core other) {
        int order = Integer.compare(one.socket(), other.socket());
        order = order != 0 ? order : Integer.compare(one.node(), other.node());
        order = order != 0 ? order : Integer.compare(one.l3(), other.l3());
        order = order != 0 ? order : Integer.compare(one.l2(), other.l2());
        return order != 0 ? order : Integer.compare(one.id(), other.id());
    }

    Topology read() {
        BitSet usable = usable();
        if (usable.isEmpty()) {
            return Topology.uniform(Cpus.available());
        }
        Map<Integer, BitSet> members = new TreeMap<>();
        usable.stream()
                .forEach(cpu ->
                        members.computeIfAbsent(coreOf(cpu), id -> new BitSet()).set(cpu));
        Map<Integer, Integer> nodes = nodes();
        List<Core> cores = new ArrayList<>();
        members.forEach((id, cpus) -> {
            int first = cpus.nextSetBit(0);
            cores.add(new Core(
                    id,
                    cpus.stream().boxed().toList(),
                    Math.max(0, number(topology(first, "physical_package_id")).orElse(0)),
                    nodes.getOrDefault(first, 0),
                    cache(first, 3),
                    cache(first, 2)));
        });
        cores.sort(TopologyReader::compare);
        return new Topology(cores);
    }

    /** Processors that are online and that affinity mask and cpuset of the process allow. */
    private BitSet usable() {
        Optional<BitSet> allowed = text(status)
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith(ALLOWED)).findFirst())
                .flatMap(line -> parse(line.substring(ALLOWED.length())));
        Optional<BitSet> online = list(cpuFolder.resolve("online"));
        BitSet usable = allowed.or(() -> online).orElseGet(BitSet::new);
        online.filter(cpus -> cpus.intersects(usable)).ifPresent(usable::and);
        return usable;
    }

    private int coreOf(int cpu) {
        // the second name is that of kernels before 5.1
        return list(topology(cpu, "core_cpus_list"))
                .or(() -> list(topology(cpu, "thread_siblings_list")))
                .filter(siblings -> siblings.get(cpu))
                .map(siblings -> siblings.nextSetBit(0))
                .orElse(cpu);
    }

    private Path topology(int cpu, String file) {
        return cpuFolder.resolve("cpu" + cpu).resolve("topology").resolve(file);
    }

    private Map<Integer, Integer> nodes() {
        Map<Integer, Integer> nodes = new HashMap<>();
        for (Path folder : folders(nodeFolder, "node[0-9]*")) {
            number(folder.getFileName().toString().substring("node".length()))
                    .ifPresent(node -> list(folder.resolve("cpulist"))
                            .ifPresent(cpus -> cpus.stream().forEach(cpu -> nodes.put(cpu, node))));
        }
        return nodes;
    }

    private int cache(int cpu, int level) {
        for (Path cache : folders(cpuFolder.resolve("cpu" + cpu).resolve("cache"), "index[0-9]*")) {
            boolean data =
                    text(cache.resolve("type")).filter("Instruction"::equals).isEmpty();
            if (data
                    && number(cache.resolve("level"))
                            .filter(found -> found == level)
                            .isPresent()) {
                return list(cache.resolve("shared_cpu_list"))
                        .filter(sharing -> sharing.get(cpu))
                        .map(sharing -> sharing.nextSetBit(0))
                        .orElse(Topology.UNKNOWN);
            }
        }
        return Topology.UNKNOWN;
    }

    // ---- files that may be missing, unreadable or wrong

    private static List<Path> folders(Path parent, String pattern) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, pattern)) {
            folders.forEach(found::add);
        } catch (IOException unreadable) {
            return List.of();
        }
        return found;
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    private static Optional<BitSet> list(Path file) {
        return text(file).flatMap(TopologyReader::parse).filter(cpus -> !cpus.isEmpty());
    }

    private static Optional<BitSet> parse(String list) {
        try {
            return Optional.of(CpuList.parse(list));
        } catch (IllegalArgumentException nonsense) {
            return Optional.empty();
        }
    }

    private static Optional<Integer> number(Path file) {
        return text(file).flatMap(TopologyReader::number);
    }

    private static Optional<Integer> number(String text) {
        return Stream.of(text)
                .filter(each -> each.matches("-?\\d{1,9}"))
                .map(Integer::valueOf)
                .findFirst();
    }
}
