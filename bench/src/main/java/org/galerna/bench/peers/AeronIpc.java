package org.galerna.bench.peers;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Aeron's IPC. */
public final class AeronIpc extends FetchedPeer {
    static final Library AERON = new Library("io.aeron", "aeron-all", "1.51.0", "");

    /** With Maven from {@code MAVEN_HOME} or the search path of commands. */
    public AeronIpc() {
        this(Optional.empty(), mavenFolders());
    }

    AeronIpc(Optional<Path> cache, List<Path> mavenFolders) {
        super("aeron", AERON, cache, mavenFolders);
    }

    static final String PROGRAM = "AeronPeer.java";
    static final List<String> OPTIONS = List.of(
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dagrona.disable.bounds.checks=true");

    @Override
    List<String> options() {
        return OPTIONS;
    }

    @Override
    String program() {
        return PROGRAM;
    }
}
