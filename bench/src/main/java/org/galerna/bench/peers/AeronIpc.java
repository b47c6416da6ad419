package org.galerna.bench.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ProcessContender;

/** Aeron's IPC. */
public final class AeronIpc extends MavenPeer {
    /** With Maven from {@code MAVEN_HOME} or the search path of commands. */
    public AeronIpc() {
        this(Optional.empty(), mavenFolders());
    }

    AeronIpc(Optional<Path> cache, List<Path> mavenFolders) {
        super("aeron", "io.aeron", "1.51.0", List.of("aeron-all"), cache, mavenFolders);
    }

    @Override
    String program() {
        return "AeronPeer.java";
    }

    @Override
    Contender start(Path program) throws IOException {
        return ProcessContender.start(
                name(),
                "",
                2,
                List.of(
                        java(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dagrona.disable.bounds.checks=true",
                        "-cp",
                        classPath(),
                        program.toString()),
                Map.of());
    }
}
