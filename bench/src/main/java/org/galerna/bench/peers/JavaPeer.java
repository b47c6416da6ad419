package org.galerna.bench.peers;

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
            throw new ContenderException(name + " connects two ranks only");
        }
        return start();
    }

    /** The program that runs this virtual machine. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
