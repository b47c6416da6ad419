package org.galerna.launch.program;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** A folder or an archive of the class path. All methods may be called by any thread at any time. */
sealed interface ClassPathEntry extends Closeable permits FolderEntry, ArchiveEntry {
    /** Where it is. */
    Path path();

    /** What classes from here have as their code source. */
    URL location();

    /** The address of a resource; null if it is not here. */
    @Nullable
    URL find(String resource);

    /** The content of a resource; null if it is not here. */
    @Nullable
    InputStream open(String resource) throws IOException;

    /** The manifest, with the versions of the packages; null if there is none. */
    @Nullable
    Manifest manifest();

    /**
     * Whether there is any file whose name begins with one of these words.
     *
     * @param most how many files may be looked through
     * @return true as well if there are more
     */
    boolean mayHave(List<String> beginnings, int most);

    /** The names of at most {@code limit} classes that are here, e.g. {@code org.example.Main}. */
    List<String> classNames(int limit);
}
