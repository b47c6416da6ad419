package org.galerna.launch.rank;

import java.util.List;
import org.galerna.launch.RankCode;
import org.galerna.launch.program.LauncherAgent;
import org.galerna.launch.program.MainMethod;

/** What the main thread of a rank does. */
public sealed interface RankTask {
    /** Runs it. */
    void run(RankContext rank) throws Throwable;

    /** Whether the rank lives until the last of the threads has ended that it has started, as a process does. */
    boolean awaitsThreads();

    /**
     * A main method, of a class that the rank loads.
     *
     * @param mainClass name of the class
     */
    record OfProgram(String mainClass, List<String> arguments) implements RankTask {
        /** A main method with the list copied. */
        public OfProgram {
            arguments = List.copyOf(arguments);
        }

        @Override
        public void run(RankContext rank) throws Throwable {
            LauncherAgent.start(rank.loader());
            MainMethod.run(Class.forName(mainClass, false, rank.loader()), arguments.toArray(String[]::new));
        }

        @Override
        public boolean awaitsThreads() {
            return true;
        }
    }

    /** Code of this JVM. The threads that it starts may be those of a pool that others use, too. */
    record OfCode(RankCode code) implements RankTask {
        @Override
        public void run(RankContext rank) throws Throwable {
            code.body().run(rank.rank(), rank.loader());
        }

        @Override
        public boolean awaitsThreads() {
            return false;
        }
    }
}
