package org.galerna.bench.peers;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ProcessContender;
import org.galerna.launch.GalernaPath;
import org.galerna.link.process.TemporaryFolder;

/**
 * A library that Galerna does not depend on: Maven fetches it at the first use into the user's cache, and the program that
 * uses it is a resource, which the virtual machine compiles against it when it starts.
 */
abstract class FetchedPeer extends JavaPeer {
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies";

    /** The folder may be replaced for a test; nothing is made in it before the peer is started. */
    private final Optional<Path> cache;

    private final Optional<Path> maven;
    private final Library library;

    /**
     * What is fetched, with what it depends on.
     *
     * @param classifier empty for none
     * @param more other artifacts of that group and version
     */
    record Library(String group, String artifact, String version, String classifier, List<String> more) {
        Library(String group, String artifact, String version, String classifier) {
            this(group, artifact, version, classifier, List.of());
        }

        @Override
        public String toString() {
            return group + ":" + artifact + ":" + version;
        }

        private String project() {
            return """
                    <project xmlns="http://maven.apache.org/POM/4.0.0">
                      <modelVersion>4.0.0</modelVersion>
                      <groupId>galerna</groupId>
                      <artifactId>peer</artifactId>
                      <version>1</version>
                      <dependencies>
                        <dependency>
                          <groupId>%s</groupId>
                          <artifactId>%s</artifactId>
                          <version>%s</version>%s
                        </dependency>%s
                      </dependencies>
                    </project>
                    """.formatted(
                            group,
                            artifact,
                            version,
                            classifier.isEmpty() ? "" : "<classifier>" + classifier + "</classifier>",
                            more.stream().map(this::dependency).collect(Collectors.joining()));
        }

        private String dependency(String other) {
            return "<dependency><groupId>" + group + "</groupId><artifactId>" + other + "</artifactId><version>"
                    + version + "</version></dependency>";
        }
    }

    FetchedPeer(String name, Library library, Optional<Path> cache, List<Path> mavenFolders) {
        super(name);
        this.library = library;
        this.cache = cache;
        this.maven = mavenFolders.stream()
                .map(folder -> folder.resolve("mvn"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** {@code MAVEN_HOME} and the search path of commands. */
    static List<Path> mavenFolders() {
        String home = System.getenv().getOrDefault("MAVEN_HOME", "");
        return Stream.concat(
                        home.isEmpty() ? Stream.empty() : Stream.of(Path.of(home, "bin")),
                        Stream.concat(
                                MpiInstallation.searchPath().stream(), Stream.of(Path.of("/usr/share/maven/bin"))))
                .toList();
    }

    @Override
    public String version() {
        return library.version();
    }

    /** Options for its virtual machine. */
    abstract List<String> options();

    /** Name of the resource with the program. */
    abstract String program();

    @Override
    public Optional<String> unavailable() {
        try {
            return maven.isPresent() || Files.exists(archives())
                    ? Optional.empty()
                    : Optional.of("Maven, which fetches " + library + ", is not on the PATH: apt-get install maven");
        } catch (IOException unwritable) {
            return Optional.of("there is no folder to keep " + library + " in: " + unwritable.getMessage());
        }
    }

    @Override
    Contender start() {
        try {
            List<String> command = new ArrayList<>(List.of(java(), "--enable-native-access=ALL-UNNAMED"));
            command.addAll(command(program(), GalernaPath.classPath()));
            return ProcessContender.start(name(), "", 2, command, Map.of());
        } catch (IOException failed) {
            throw new ContenderException(name() + " cannot be started: " + failed.getMessage(), failed);
        }
    }

    /**
     * What Java is to be given to run a program with the library, which is fetched if it is not there.
     *
     * @param program name of a resource
     * @param classPath what is on the class path besides the library
     */
    final List<String> command(String program, String classPath) throws IOException {
        Path archives = archives();
        if (!Files.exists(archives)) {
            fetch(archives);
        }
        List<String> command = new ArrayList<>(options());
        command.addAll(List.of(
                "-cp",
                archives + "/*:" + classPath,
                PeerFiles.extract(program, cache()).toString()));
        return command;
    }

    private void fetch(Path archives) throws IOException {
        Path mvn = maven.orElseThrow(() -> new ContenderException(unavailable().orElse("Maven is missing")));
        // beside the place where it is looked for, and there when it is complete
        try (TemporaryFolder workshop = PeerFiles.workshop(cache())) {
            Path folder = workshop.path();
            Files.writeString(folder.resolve("pom.xml"), library.project());
            PeerFiles.runTool(
                    "fetching " + library + " with Maven",
                    folder,
                    List.of(mvn.toString(), "-B", "-ntp", "-Dstyle.color=never", COPY, "-DoutputDirectory=jars"));
            Files.move(folder.resolve("jars"), archives, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException somebodyElseWasFaster) {
            return;
        }
    }

    private Path archives() throws IOException {
        return cache().resolve(library.artifact() + "-" + library.version());
    }

    private Path cache() throws IOException {
        return cache.isPresent() ? cache.get() : PeerFiles.cache();
    }
}
