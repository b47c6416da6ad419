package org.galerna.bench.peers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Aeron's UDP over the loopback interface. */
public final class AeronUdp extends FetchedPeer {
    /** With Maven from {@code MAVEN_HOME} or the search path of commands. */
    public AeronUdp() {
        this(Optional.empty(), mavenFolders());
    }

    AeronUdp(Optional<Path> cache, List<Path> mavenFolders) {
        super("aeron-udp", AeronIpc.AERON, cache, mavenFolders);
    }

    @Override
    List<String> options() {
        List<String> options = new ArrayList<>(AeronIpc.OPTIONS);
        options.add("-Daeron.pair.udp=true");
        return options;
    }

    @Override
    String program() {
        return AeronIpc.PROGRAM;
    }
}
