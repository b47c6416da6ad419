package org.galerna.bench.peers;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ContenderFactory;

/** A peer in Java that has two ranks, threads of one virtual machine. */
abstract class JavaPeer implements ContenderFactory {
    private final String name;

    JavaPeer(String name) {
        this.name = name;
    }

    abstract Contender start();

    @Override
    public final String name() {
        return name;
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public final Contender start(int ranks) {
        if (ranks != 2) {
            throw new ContenderException(name + " connects two ranks, and cannot have " + ranks);
        }
        return start();
    }

    /** The program that runs this virtual machine. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The archive or folder of the benchmarks; they need no other to serve commands. */
    static String benchmarks() {
        try {
            return Path.of(JavaPeer.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
