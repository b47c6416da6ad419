package org.galerna.bench.suite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A rank's side of the protocol that {@link ProcessContender} describes, for contenders written in Java. */
public final class ContenderServer {
    private ContenderServer() {}

    /** What a rank does with a command. */
    @FunctionalInterface
    public interface Rank {
        /**
         * Passes a barrier of the system's own, then measures. Called on every rank, with the same commands in the same
         * order.
         *
         * @return on rank 0 the answer; what other ranks return is not used
         */
        Answer run(Command command) throws IOException;
    }

    /**
     * Serves commands on the calling thread until the driver says that it is over, or is gone itself. The system must
     * end its whole process if this throws on one of its ranks, because the others may wait for that one.
     *
     * @param folder where the pipes are: the last argument that the driver started the process with
     * @param rank the caller's
     */
    public static void serve(Path folder, int rank, Rank handler) throws IOException {
        try (BufferedReader commands =
                Files.newBufferedReader(folder.resolve(commandPipe(rank)), StandardCharsets.US_ASCII)) {
            if (rank != 0) {
                serve(commands, handler, Writer.nullWriter());
                return;
            }
            try (Writer answers = Files.newBufferedWriter(folder.resolve(RESULT_PIPE), StandardCharsets.UTF_8)) {
                serve(commands, handler, answers);
            }
        }
    }

    /** Name of the pipe that the answers go through. */
    static final String RESULT_PIPE = "result";

    /** Name of the pipe that a rank's commands come through. */
    static String commandPipe(int rank) {
        return rank + ".cmd";
    }

    private static void serve(BufferedReader commands, Rank handler, Writer answers) throws IOException {
        for (String line = commands.readLine();
                line != null && !line.equals(Command.QUIT);
                line = commands.readLine()) {
            Answer answer = answer(Command.parse(line), handler);
            answers.write(answer.toLine() + "\n");
            if (!commands.ready()) { // the driver, which wakes up for it, takes no time of the next command then
                answers.flush();
            }
        }
    }

    private static Answer answer(Command command, Rank handler) throws IOException {
        if (command.benchmark().equals(Command.COMPILED)) {
            return Answer.of(Compilers.awaitIdle());
        }
        return handler.run(command);
    }
}
