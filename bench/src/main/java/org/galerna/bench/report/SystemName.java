package org.galerna.bench.report;

import java.util.Map;

/** Names of systems as people write them. Files keep the short ones, which are those of {@code --against}. */
final class SystemName {
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("galerna", "Galerna"),
            Map.entry("baseline", "Baseline"),
            Map.entry("aeron", "Aeron IPC"),
            Map.entry("aeron-udp", "Aeron, UDP"),
            Map.entry("netty", "Netty, TCP"),
            Map.entry("rmi", "RMI"),
            Map.entry("grpc", "gRPC"),
            Map.entry("mpich", "MPICH, C"),
            Map.entry("mpich-ofi", "MPICH, C, libfabric"),
            Map.entry("openmpi", "Open MPI, C"),
            Map.entry("openmpi-nocma", "Open MPI, C, no kernel copies"),
            Map.entry("openmpi-ofi", "Open MPI, C, libfabric"),
            Map.entry("openmpi-ucx", "Open MPI, C, UCX"),
            Map.entry("openmpi-java", "Open MPI, Java bindings"),
            Map.entry("mpjexpress", "MPJ Express"),
            Map.entry("sockets", "TCP, loopback"),
            Map.entry("unix", "UNIX socket"),
            Map.entry("jdk", "the JDK's sockets"),
            Map.entry("cache line", "a bare cache line"),
            Map.entry("array copy", "one thread's array copy"),
            Map.entry("cost model", "cost model"));

    private SystemName() {}

    /** The name of what was measured, with its level: "Galerna, mpi". */
    static String of(Result result) {
        return of(result.name());
    }

    /** The same for a short name with its level, as {@link Result#name} puts them together. */
    static String of(String name) {
        String known = NAMES.get(name);
        if (known != null) {
            return known;
        }
        int space = name.indexOf(' ');
        String system = space < 0 ? null : NAMES.get(name.substring(0, space));
        return system == null ? name : system + ", " + name.substring(space + 1);
    }
}
