package org.galerna.bench.peers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.launch.GalernaPath;

/**
 * A peer in Java that Galerna does not depend on: Maven fetches it at the first use into the user's cache, and the program
 * that uses it is a resource, which the virtual machine compiles against it when it starts.
 */
abstract class MavenPeer extends JavaPeer {
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy";

    private final String group;
    private final String version;
    private final List<String> artifacts;

    /** The folder may be replaced for a test; nothing is made in it before the peer is started. */
    private final Optional<Path> cache;

    private final Optional<Path> maven;

    /**
     * A peer.
     *
     * @param group of the artifacts
     * @param artifacts all that is needed to run it: nothing else is fetched
     * @param mavenFolders where to look for Maven
     */
    MavenPeer(
            String name,
            String group,
            String version,
            List<String> artifacts,
            Optional<Path> cache,
            List<Path> mavenFolders) {
        super(name);
        this.group = group;
        this.version = version;
        this.artifacts = List.copyOf(artifacts);
        this.cache = cache;
        this.maven = mavenFolders.stream()
                .map(folder -> folder.resolve("mvn"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** From {@code MAVEN_HOME} or the search path of commands. */
    static List<Path> mavenFolders() {
        String home = System.getenv().getOrDefault("MAVEN_HOME", "");
        return Stream.concat(
                        home.isEmpty() ? Stream.empty() : Stream.of(Path.of(home, "bin")),
                        Stream.concat(
                                MpiInstallation.searchPath().stream(), Stream.of(Path.of("/usr/share/maven/bin"))))
                .toList();
    }

    @Override
    public final Optional<String> unavailable() {
        try {
            return maven.isPresent() || isFetched()
                    ? Optional.empty()
                    : Optional.of("Maven, which fetches " + coordinates(artifacts.getFirst())
                            + ", is not on the PATH: apt-get install maven");
        } catch (IOException unwritable) {
            return Optional.of("there is no folder to keep " + coordinates(artifacts.getFirst()) + " in: "
                    + unwritable.getMessage());
        }
    }

    private String coordinates(String artifact) {
        return group + ":" + artifact + ":" + version;
    }

    private Path archive(String artifact) throws IOException {
        return cache().resolve(artifact + "-" + version + ".jar");
    }

    private boolean isFetched() throws IOException {
        for (String artifact : artifacts) {
            if (!Files.exists(archive(artifact))) {
                return false;
            }
        }
        return true;
    }

    @Override
    final Contender start() {
        try {
            for (String artifact : artifacts) {
                if (!Files.exists(archive(artifact))) {
                    fetch(artifact);
                }
            }
            return start(PeerFiles.extract(program(), cache()));
        } catch (IOException failed) {
            throw new ContenderException(name() + " cannot be started: " + failed.getMessage(), failed);
        }
    }

    /** Name of the resource that is the program. */
    abstract String program();

    /** Starts it. */
    abstract Contender start(Path program) throws IOException;

    /** What was fetched, and Galerna. */
    final String classPath() throws IOException {
        Path folder = cache();
        return Stream.concat(
                        artifacts.stream()
                                .map(artifact -> folder.resolve(artifact + "-" + version + ".jar")
                                        .toString()),
                        Stream.of(GalernaPath.classPath()))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void fetch(String artifact) throws IOException {
        Path mvn = maven.orElseThrow(() -> new ContenderException(unavailable().orElse("Maven is missing")));
        // In a folder of its own, for Maven reads the project that it finds in the current one.
        PeerFiles.runTool(
                "fetching " + coordinates(artifact) + " with Maven",
                cache(),
                List.of(
                        mvn.toString(),
                        "-B",
                        "-ntp",
                        "-Dstyle.color=never",
                        COPY,
                        "-Dartifact=" + coordinates(artifact),
                        "-DoutputDirectory=" + cache()));
    }

    private Path cache() throws IOException {
        return cache.isPresent() ? cache.get() : PeerFiles.cache();
    }
}
