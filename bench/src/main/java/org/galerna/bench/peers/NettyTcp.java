package org.galerna.bench.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ProcessContender;

/** Netty over TCP and the loopback interface, with its transport on NIO. */
public final class NettyTcp extends MavenPeer {
    /** With Maven from {@code MAVEN_HOME} or the search path of commands. */
    public NettyTcp() {
        super(
                "netty",
                "io.netty",
                "4.1.121.Final",
                List.of("netty-transport", "netty-buffer", "netty-common", "netty-resolver"),
                Optional.empty(),
                mavenFolders());
    }

    @Override
    String program() {
        return "NettyPeer.java";
    }

    @Override
    Contender start(Path program) throws IOException {
        return ProcessContender.start(
                name(),
                "",
                2,
                List.of(java(), "--sun-misc-unsafe-memory-access=allow", "-cp", classPath(), program.toString()),
                Map.of());
    }
}
