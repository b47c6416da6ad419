package org.galerna.messaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** Sockets of this process that listen, as the kernel lists them. */
final class ListeningSockets {
    private static final String LISTENS = "0A";
    private static final int STATE = 3;
    private static final int INODE = 9;

    private ListeningSockets() {}

    static long ofThisProcess() throws IOException {
        Set<String> open = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : files.toList()) {
                if (Files.isSymbolicLink(each)) {
                    open.add(Files.readSymbolicLink(each).toString());
                }
            }
        }
        long listening = 0;
        for (String table : new String[] {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
            listening += Files.readAllLines(Path.of(table)).stream()
                    .skip(1)
                    .map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields[STATE].equals(LISTENS) && open.contains("socket:[" + fields[INODE] + "]"))
                    .count();
        }
        return listening;
    }
}
