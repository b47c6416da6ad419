package org.galerna.bench.suite;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.galerna.bench.build.GalernaBuild;

/**
 * A system that can be measured. Those that users name after {@code --against} are found by {@link ServiceLoader}: a
 * system is added by one class and its name in {@code module-info.java} and in {@code META-INF/services}.
 */
public interface ContenderFactory {
    /** Name as a user types it, such as {@code openmpi}; also the {@link Contender#system} of what it starts. */
    String name();

    /** Its version, as its makers write it; empty if it has none of its own. */
    default String version() {
        return "";
    }

    /** Why this machine cannot run it, in a sentence that says what to install; empty if it can. */
    Optional<String> unavailable();

    /**
     * Starts the system. Called only where it is available.
     *
     * @param ranks how many; at least 2
     * @throws ContenderException if that fails, or the system cannot have so many ranks
     */
    Contender start(int ranks);

    /** Whether it is compiled while it runs, as Java is, and must be warmed up for long before it is measured. */
    default boolean warmsUp() {
        return true;
    }

    /** How many times as long as usual it is warmed up: where its threads leave the compiler little of the cores. */
    default int warmUps() {
        return 1;
    }

    /** The same system of another build of Galerna; empty if this is not Galerna. */
    default Optional<ContenderFactory> of(GalernaBuild build) {
        return Optional.empty();
    }

    /** Threads of each rank that send at once in the benchmark "rate". */
    default int threads() {
        return 1;
    }

    /** Whether it runs programs of ranks, such as that of the first seconds. */
    default boolean runsPrograms() {
        return false;
    }

    /**
     * How the program of the first seconds is started, {@code StartProgram}. Called only where the system is available and runs
     * programs.
     *
     * @param ranks how many; at least 2
     * @param arguments of the program
     * @throws ContenderException if the program cannot be made, or the system runs none
     */
    default ProgramCommand startProgram(int ranks, List<String> arguments) {
        throw new ContenderException(name() + " runs no programs of ranks");
    }

    /** All systems that are not Galerna itself, in the order of their names. */
    static List<ContenderFactory> peers() {
        return ServiceLoader.load(ContenderFactory.class, ContenderFactory.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList();
    }
}
