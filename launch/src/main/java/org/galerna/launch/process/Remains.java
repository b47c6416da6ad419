package org.galerna.launch.process;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.galerna.launch.ClassesFolder;
import org.galerna.launch.place.ReservedCores;
import org.galerna.link.LinkProvider;
import org.galerna.link.process.OwnLog;
import org.galerna.link.process.TemporaryFolder;
import org.jspecify.annotations.Nullable;

/** What a job has on one host besides its processes, and what these may leave. It goes once they have ended. Any thread may call. */
final class Remains {
    private static final Logger LOGGER = OwnLog.of(Remains.class.getName());

    private static final String TEMPORARY = "java.io.tmpdir";

    private final CountDownLatch removed = new CountDownLatch(1);
    // guarded by this
    private @Nullable AgentJob job;
    private @Nullable RankServer server;
    private @Nullable ReservedCores cores;
    private @Nullable Path classes;

    /** Writes the classes of a job into a folder; returns the job that finds them there. */
    synchronized AgentJob write(AgentJob description) throws IOException {
        job = description;
        if (description.classes().isEmpty()) {
            return description;
        }
        Path folder = ClassesFolder.write(description.classes());
        classes = folder;
        return description.withClassesIn(folder);
    }

    synchronized RankServer keep(RankServer opened) {
        server = opened;
        return opened;
    }

    synchronized ReservedCores keep(ReservedCores reserved) {
        cores = reserved;
        return reserved;
    }

    /**
     * Removes everything; idempotent. No process of the job runs any more.
     *
     * @param any whether a process may have left files: it was killed, has crashed, or was halted. If all have, nobody else removes them
     */
    synchronized void remove(boolean any) {
        if (removed.getCount() == 0) {
            return;
        }
        try {
            if (server != null) {
                server.close();
            }
            if (cores != null) {
                cores.close();
            }
            if (classes != null) {
                ClassesFolder.remove(classes);
            }
            if (any && job != null) {
                removeLeftovers(job);
            }
        } catch (RuntimeException ofProvider) {
            LOGGER.log(Level.DEBUG, "cannot remove what a job has left", ofProvider);
        } finally {
            removed.countDown();
        }
    }

    private static void removeLeftovers(AgentJob job) {
        Path folder = Path.of(job.workingFolder());
        LinkProvider.all().forEach(provider -> provider.removeLeftovers(folder, job::property));
        job.property(TEMPORARY).ifPresent(temporary -> TemporaryFolder.removeStale(folder.resolve(temporary)));
    }

    /** Returns when everything is removed, or after that time. */
    void awaitRemoval(Duration longest) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + longest.toNanos();
        while (true) {
            try {
                boolean ignored = removed.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException notNow) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
