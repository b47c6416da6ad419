package org.galerna.bench.suite;

import java.util.List;

/**
 * A system under measurement: a job of some ranks that has been started once and waits, without using a processor, for
 * {@link Command}s. Used by one thread.
 */
public interface Contender extends AutoCloseable {
    /** Who it is, such as "galerna", "openmpi", "tcp". */
    String system();

    /** Where it is measured: "mpi", "device", "link"; empty for systems that have one level. */
    String level();

    /** System and level in one, as a reader sees it. */
    default String name() {
        return level().isEmpty() ? system() : system() + ' ' + level();
    }

    /**
     * Runs commands one right after the other, so that the ranks do not sleep between them.
     *
     * @return the answers, in the order of the commands
     * @throws ContenderException if the system has ended or has not answered in time; it is of no use any more
     */
    List<Answer> run(List<Command> commands);

    /** Runs one command; as {@link #run(List)}. */
    default Answer run(Command command) {
        return run(List.of(command)).getFirst();
    }

    /** Ends the system: in good order, or by force if it does not answer. Idempotent. */
    @Override
    void close();
}
