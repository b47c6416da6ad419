package org.galerna.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ProcessContender;
import org.galerna.launch.GalernaPath;

/**
 * Aeron's IPC. Galerna does not depend on Aeron: Maven fetches it at the first use into the user's cache, and the program
 * that uses it is a resource, which the virtual machine compiles against it when it starts.
 */
public final class AeronIpc extends JavaPeer {
    private static final String VERSION = "1.51.0";
    private static final String ARTIFACT = "io.aeron:aeron-all:" + VERSION;
    private static final String ARCHIVE = "aeron-all-" + VERSION + ".jar";
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy";

    /** The folder may be replaced for a test; nothing is made in it before the peer is started. */
    private final Optional<Path> cache;

    private final Optional<Path> maven;

    /** With Maven from {@code MAVEN_HOME} or the search path of commands. */
    public AeronIpc() {
        this(Optional.empty(), mavenFolders());
    }

    AeronIpc(Optional<Path> cache, List<Path> mavenFolders) {
        super("aeron");
        this.cache = cache;
        this.maven = mavenFolders.stream()
                .map(folder -> folder.resolve("mvn"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static List<Path> mavenFolders() {
        String home = System.getenv().getOrDefault("MAVEN_HOME", "");
        return Stream.concat(
                        home.isEmpty() ? Stream.empty() : Stream.of(Path.of(home, "bin")),
                        Stream.concat(
                                MpiInstallation.searchPath().stream(), Stream.of(Path.of("/usr/share/maven/bin"))))
                .toList();
    }

    @Override
    public Optional<String> unavailable() {
        try {
            return maven.isPresent() || Files.exists(cache().resolve(ARCHIVE))
                    ? Optional.empty()
                    : Optional.of("Maven, which fetches " + ARTIFACT + ", is not on the PATH: apt-get install maven");
        } catch (IOException unwritable) {
            return Optional.of("there is no folder to keep " + ARTIFACT + " in: " + unwritable.getMessage());
        }
    }

    @Override
    Contender start() {
        try {
            Path archive = cache().resolve(ARCHIVE);
            if (!Files.exists(archive)) {
                fetch();
            }
            Path program = PeerFiles.extract("AeronPeer.java", cache());
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
                            archive + ":" + GalernaPath.classPath(),
                            program.toString()),
                    Map.of());
        } catch (IOException failed) {
            throw new ContenderException("aeron cannot be started: " + failed.getMessage(), failed);
        }
    }

    private void fetch() throws IOException {
        Path mvn = maven.orElseThrow(() -> new ContenderException(unavailable().orElse("Maven is missing")));
        // In a folder of its own, for Maven reads the project that it finds in the current one.
        PeerFiles.runTool(
                "fetching " + ARTIFACT + " with Maven",
                cache(),
                List.of(
                        mvn.toString(),
                        "-B",
                        "-ntp",
                        "-Dstyle.color=never",
                        COPY,
                        "-Dartifact=" + ARTIFACT,
                        "-DoutputDirectory=" + cache()));
    }

    private Path cache() throws IOException {
        return cache.isPresent() ? cache.get() : PeerFiles.cache();
    }
}
