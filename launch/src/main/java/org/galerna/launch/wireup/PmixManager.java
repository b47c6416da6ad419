package org.galerna.launch.wireup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.galerna.nativeaccess.pmix.Pmix;

/**
 * PMIx, what Open MPI's {@code mpirun}, PRRTE and Slurm with {@code --mpi=pmix} offer. Its protocol is the business of
 * its library, which has to be on the machine.
 */
final class PmixManager implements JobManager {
    /** System property: file of the library, where it is not found otherwise. */
    static final String LIBRARY = "galerna.pmix.library";

    /** Environment: this process. Older Open MPI sets {@code PMIX_ID} as well. */
    static final String RANK = "PMIX_RANK";

    /** Environment: the job. */
    static final String NAMESPACE = "PMIX_NAMESPACE";

    /** More than is ever needed at once; a value is copied several times on its way. */
    private static final int LONGEST_VALUE = 1 << 15;

    private final Pmix pmix;
    private final Pmix.Member self;
    private final int size;

    private PmixManager(Pmix pmix) throws IOException {
        this.pmix = pmix;
        this.self = pmix.init();
        this.size = pmix.jobSize(self);
    }

    /** Loads the library and joins the job that the environment names. */
    static PmixManager open(Map<String, String> environment) throws IOException {
        try {
            return new PmixManager(Pmix.open(libraries(environment)));
        } catch (UnsatisfiedLinkError missing) {
            throw new IOException(
                    Pmix.LIBRARY + " cannot be loaded (" + missing.getMessage()
                            + "); install it (Debian and Ubuntu: libpmix2), or name its file with -D" + LIBRARY
                            + "=FILE",
                    missing);
        }
    }

    /** The manager's own library first, since it certainly understands the manager. */
    private static List<String> libraries(Map<String, String> environment) {
        String chosen = System.getProperty(LIBRARY);
        if (chosen != null) {
            return List.of(chosen);
        }
        List<String> places = new ArrayList<>();
        for (String variable : List.of("PMIX_PREFIX", "PMIX_INSTALL_PREFIX", "OPAL_PREFIX")) {
            String prefix = environment.get(variable);
            if (prefix != null) {
                for (String folder : List.of("lib", "lib64", "lib/openmpi")) {
                    places.add(prefix + "/" + folder + "/" + Pmix.LIBRARY);
                }
            }
        }
        places.add(Pmix.LIBRARY);
        return places;
    }

    @Override
    public String protocol() {
        return "PMIx";
    }

    @Override
    public String job() {
        return self.namespace();
    }

    @Override
    public int rank() {
        return self.rank();
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int longestValue() {
        return LONGEST_VALUE;
    }

    @Override
    public void put(String key, byte[] value) throws IOException {
        pmix.put(key, value);
    }

    @Override
    public void fence() throws IOException {
        pmix.commit();
        pmix.fence();
    }

    @Override
    public byte[] get(int rank, String key) throws IOException {
        return pmix.get(new Pmix.Member(self.namespace(), rank), key);
    }

    @Override
    public void abort(int status, String reason) throws IOException {
        pmix.abort(status, reason);
    }

    @Override
    public void finish() throws IOException {
        pmix.finish();
    }
}
