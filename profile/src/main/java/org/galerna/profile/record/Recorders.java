package org.galerna.profile.record;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.galerna.link.process.EndOfProcess;
import org.galerna.profile.ProfileSettings;
import org.jspecify.annotations.Nullable;

/** The recorders of this process: one for each rank, by the class loader of the rank's class {@code MPI}. */
public final class Recorders {
    private static final String API = "mpi.MPI";

    // guarded by the class
    private static final Map<ClassLoader, Recorder> BY_LOADER = new WeakHashMap<>();
    private static boolean writesAtEnd;

    private Recorders() {}

    /**
     * The recorder of the rank that runs a class; null if this process does not record.
     *
     * @throws ClassNotFoundException if the class does not see the API
     */
    public static @Nullable Recorder ofCallsFrom(Class<?> caller) throws ClassNotFoundException {
        Class<?> api = Class.forName(API, false, caller.getClassLoader());
        return of(api.getClassLoader());
    }

    static synchronized @Nullable Recorder of(ClassLoader rankLoader) {
        Optional<Path> folder = ProfileSettings.folder();
        if (folder.isEmpty()) {
            return null;
        }
        if (!writesAtEnd) {
            writesAtEnd = true;
            EndOfProcess.add(Recorders::writeAll);
        }
        return BY_LOADER.computeIfAbsent(rankLoader, any -> new Recorder(folder.get(), ProfileSettings.after()));
    }

    private static void writeAll() {
        List<Recorder> all;
        synchronized (Recorders.class) {
            all = new ArrayList<>(BY_LOADER.values());
        }
        all.forEach(each -> each.write(false));
    }
}
