package org.galerna.link.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.link.CommunicationException;
import org.galerna.link.shm.file.JobFolder;
import org.galerna.link.shm.file.UserFolder;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.file.PosixFiles;

/** A folder for one test, in place of {@code /dev/shm}. */
final class SharedFolder implements AutoCloseable {
    private final Path path;

    SharedFolder() throws IOException {
        path = Files.createTempDirectory(Path.of("/dev/shm"), "galerna-test");
        System.setProperty(UserFolder.BASE, path.toString());
    }

    Path path() {
        return path;
    }

    /** The folder of this user in it. */
    Path user() {
        return path.resolve("galerna-" + PosixFiles.instance().orElseThrow().user());
    }

    /** The folder of a job in that. */
    Path job(InProcessWireup wireup) {
        return job(wireup.job());
    }

    /** The folder of the job of this name in that. */
    Path job(String name) {
        return user().resolve(JobFolder.folderName(name));
    }

    static List<InProcessWireup> newJob(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new CommunicationException("rank " + rank + " aborts: " + reason);
        });
    }

    List<Path> contents() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(each -> !each.equals(path)).sorted().toList();
        }
    }

    @Override
    public void close() throws IOException {
        System.clearProperty(UserFolder.BASE);
        for (Path each : contents().reversed()) {
            Files.delete(each);
        }
        Files.delete(path);
    }
}
