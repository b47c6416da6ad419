package org.galerna.launch.process;

import java.nio.file.Path;
import java.time.Duration;
import org.galerna.launch.ClassesFolder;
import org.galerna.launch.report.ExitStatus;
import org.galerna.link.process.EndOfProcess;
import org.galerna.link.process.TemporaryFolder;

/** How a process of ranks ends whose agent, and with it the launcher, was killed: nobody else is left to remove the files of the job. */
final class LostAgent {
    /** How long a rank may take to leave. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private LostAgent() {}

    /**
     * Leaves nothing behind, and halts this process.
     *
     * @param socket where the agent listened
     * @param classPath of the program
     */
    static void end(Path socket, String classPath) {
        RankServer.remove(socket);
        ClassesFolder.removeFrom(classPath);
        EndOfProcess.now(PATIENCE);
        TemporaryFolder.removeOwn();
        Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
    }
}
