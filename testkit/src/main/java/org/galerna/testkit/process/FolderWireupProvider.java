package org.galerna.testkit.process;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.FolderWireup;
import org.galerna.link.wireup.WireupProvider;

/** Finds the wire-up of a process that {@link RankProcesses} has started. */
public final class FolderWireupProvider implements WireupProvider {
    /** Environment variable: the folder; its name is the job's. */
    static final String FOLDER = "GALERNA_TEST_FOLDER";

    /** Environment variable: the rank. */
    static final String RANK = "GALERNA_TEST_RANK";

    /** Environment variable: the number of ranks. */
    static final String SIZE = "GALERNA_TEST_SIZE";

    /** For {@link java.util.ServiceLoader}. */
    public FolderWireupProvider() {}

    @Override
    public String name() {
        return "folder";
    }

    @Override
    public int precedence() {
        return 0;
    }

    @Override
    public Optional<Wireup> detect(Map<String, String> environment) {
        String folder = environment.get(FOLDER);
        if (folder == null) {
            return Optional.empty();
        }
        return Optional.of(new FolderWireup(
                Path.of(folder), Integer.parseInt(environment.get(RANK)), Integer.parseInt(environment.get(SIZE))));
    }
}
