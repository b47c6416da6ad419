package org.galerna.bench.peers;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** gRPC-java over the loopback interface, by its Netty transport without TLS. */
public final class GrpcJava extends FetchedPeer {
    private static final Library GRPC = new Library("io.grpc", "grpc-netty-shaded", "1.85.1", "", List.of("grpc-stub"));

    /** With Maven from {@code MAVEN_HOME} or the search path of commands. */
    public GrpcJava() {
        super("grpc", GRPC, Optional.empty(), mavenFolders());
    }

    GrpcJava(Optional<Path> cache, List<Path> mavenFolders) {
        super("grpc", GRPC, cache, mavenFolders);
    }

    @Override
    List<String> options() {
        return List.of("--sun-misc-unsafe-memory-access=allow");
    }

    @Override
    String program() {
        return "GrpcPeer.java";
    }
}
