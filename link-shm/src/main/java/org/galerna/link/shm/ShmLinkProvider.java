package org.galerna.link.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Reach;
import org.galerna.link.Wireup;
import org.galerna.link.shm.file.JobFolder;
import org.galerna.link.shm.file.UserFolder;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.nativeaccess.thread.Futex;

/** Opens {@link ShmLink}s. */
public final class ShmLinkProvider implements LinkProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ShmLinkProvider() {}

    @Override
    public String name() {
        return ShmLink.NAME;
    }

    @Override
    public Reach reach() {
        return Reach.HOST;
    }

    @Override
    public OptionalInt place() {
        return OptionalInt.of(20);
    }

    @Override
    public Optional<String> device() {
        return Optional.of("shmdev");
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(UserFolder.BASE, "folder of the files that processes of a host share, in memory");
    }

    @Override
    public void checkSettings() {
        Path folder = Path.of(System.getProperty(UserFolder.BASE, "/"));
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    UserFolder.BASE + " must be a folder, and there is none called " + folder);
        }
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        Optional<String> reason = PosixFiles.unavailable();
        if (reason.isPresent()) {
            return reason;
        }
        if (Futex.instance().isEmpty()) {
            return Optional.of("the system has no calls to sleep in that this processor's numbers are known of");
        }
        try {
            UserFolder.open().close();
            return Optional.empty();
        } catch (IOException failure) {
            return Optional.of(String.valueOf(failure.getMessage()));
        }
    }

    @Override
    public void removeLeftovers(Path folder, Function<String, Optional<String>> settings) {
        if (PosixFiles.unavailable().isEmpty()) {
            JobFolder.removeDead(folder.resolve(settings.apply(UserFolder.BASE).orElse(UserFolder.DEFAULT_BASE)));
        }
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return ShmLink.attach(wireup, options);
    }
}
