package org.galerna.bench.evaluation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.galerna.applications.ProgramException;
import org.galerna.applications.nas.Nas;
import org.galerna.bench.evaluation.KernelRun.Place;

/** A NAS kernel, beside NASA's own programs. */
final class KernelPart extends ProgramPart {
    private static final String THREADS = "Java threads";
    private static final String SERIAL = "NASA's, one core";
    private static final String MPI = "NASA's, Open MPI";
    private static final String OPEN_MP = "NASA's, OpenMP";

    private final String kernel;
    private final String letter;
    private final NativeKernels natives;

    KernelPart(String kernel, String letter, NativeKernels natives) {
        super(KernelRun.title(kernel, letter), "Mop/s");
        this.kernel = kernel;
        this.letter = letter;
        this.natives = natives;
    }

    @Override
    List<String> sameOnOneCore() {
        return List.of(PROCESSES, SOCKETS, THREADS);
    }

    @Override
    List<Turns.Run> runs(int cores) {
        List<Turns.Run> runs = new ArrayList<>();
        if (fits(cores)) {
            runs.addAll(onRanks(cores));
        }
        if (cores > 1) {
            runs.add(new Turns.Run(
                    THREADS, cores, () -> KernelRun.kernel(kernel, letter, 1, cores, new Place.Threads())));
        } else if (natives.serial().isPresent()) {
            runs.add(new Turns.Run(SERIAL, cores, () -> natives.onOneCore(kernel, letter)));
        }
        if (natives.mpi().isPresent()) {
            runs.add(new Turns.Run(MPI, cores, () -> natives.withMpi(kernel, letter, cores)));
        }
        if (natives.openMp().isPresent()) {
            runs.add(new Turns.Run(OPEN_MP, cores, () -> natives.withOpenMp(kernel, letter, cores)));
        }
        return runs;
    }

    private boolean fits(int ranks) {
        try {
            Nas.check(kernel, letter, ranks, 1);
            return true;
        } catch (ProgramException cannot) {
            return false;
        }
    }

    @Override
    OptionalDouble speed(int ranks, Place place) {
        return KernelRun.kernel(kernel, letter, ranks, 1, place);
    }

    @Override
    void compare(int most) {
        String noSerial = why("--npb", natives.serial());
        String noMpi = why("--npb-mpi", natives.mpi());
        String noOpenMp = why("--npb-openmp", natives.openMp());
        String cores = EvaluationPage.cores(most);
        switch (kernel) {
            case "cg" -> oneCore(0.995, noSerial);
            case "ft" -> oneCore(0.589, noSerial);
            case "is" -> oneCore(0.892, noSerial);
            case "mg" -> oneCore(0.700, noSerial);
            default -> {
                return; // no paper has it
            }
        }
        if (most == 1) {
            return;
        }
        speedUps(Paper.SMDEV, RANKS, THREADS, most, 1, "a run has failed");
        speedUps(Paper.SMDEV, RANKS, OPEN_MP, most, 1, noOpenMp);
        speedUps(Paper.SMDEV, RANKS, MPI, most, 1, noMpi);
        ratio(
                Paper.IBVDEV,
                cores + ": processes / NASA's, Open MPI",
                0.67,
                speed(PROCESSES, most),
                speed(MPI, most),
                noMpi);
        switch (kernel) {
            case "cg" -> overSockets(most, 2.25);
            case "ft" -> {
                overSockets(most, 2.12);
                besideMpi(most, 0.91, noMpi);
                besideMpjExpress(Paper.RDMA, most, 1.43);
            }
            case "mg" -> {
                besideMpi(most, 0.75, noMpi);
                besideMpjExpress(Paper.RDMA, most, 2.57);
            }
            default -> {}
        }
    }

    private void oneCore(double published, String why) {
        ratio(Paper.SMDEV, "one core: Galerna / NASA's", published, speed(RANKS, 1), speed(SERIAL, 1), why);
    }

    /** The paper has InfiniBand in place of shared memory. */
    private void overSockets(int most, double published) {
        ratio(
                Paper.IBVDEV,
                EvaluationPage.cores(most) + ": processes, shared memory / sockets",
                published,
                speed(PROCESSES, most),
                speed(SOCKETS, most),
                "a run has failed");
    }

    private void besideMpi(int most, double published, String why) {
        ratio(
                Paper.RDMA,
                EvaluationPage.cores(most) + ": ranks as threads / NASA's, Open MPI",
                published,
                speed(RANKS, most),
                speed(MPI, most),
                why);
    }

    private String why(String option, Optional<?> folder) {
        return folder.isEmpty()
                ? "give " + option + " FOLDER of NASA's programs"
                : "the folder of " + option + " has no " + kernel + "." + letter + ", or it has failed";
    }
}
