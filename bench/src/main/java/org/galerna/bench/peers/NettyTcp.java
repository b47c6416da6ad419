package org.galerna.bench.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** TCP over the loopback interface through Netty, by its own transport for epoll. */
public final class NettyTcp extends FetchedPeer {
    private static final Library NETTY =
            new Library("io.netty", "netty-transport-native-epoll", "4.2.7.Final", "linux-" + architecture());

    /** With Maven from {@code MAVEN_HOME} or the search path of commands. */
    public NettyTcp() {
        this(Optional.empty(), mavenFolders());
    }

    NettyTcp(Optional<Path> cache, List<Path> mavenFolders) {
        super("netty", NETTY, cache, mavenFolders);
    }

    /**
     * What Java is to be given to run an echo by Netty's NIO transport, a server or a client, that knows nothing of Galerna;
     * Netty is fetched if it is not there.
     */
    public List<String> echo() throws IOException {
        return command("NettyEcho.java", "");
    }

    /** As Netty names the archives with its native parts. */
    private static String architecture() {
        return switch (System.getProperty("os.arch", "")) {
            case "aarch64" -> "aarch_64";
            case "riscv64" -> "riscv64";
            default -> "x86_64";
        };
    }

    @Override
    List<String> options() {
        return List.of("--sun-misc-unsafe-memory-access=allow", "-Dio.netty.leakDetection.level=disabled");
    }

    @Override
    String program() {
        return "NettyPeer.java";
    }
}
