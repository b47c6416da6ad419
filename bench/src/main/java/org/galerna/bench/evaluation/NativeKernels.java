package org.galerna.bench.evaluation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.galerna.bench.peers.OpenMpi;

/**
 * NASA's programs of the kernels, which the user has built.
 *
 * @param serial folder of those for one core
 * @param mpi folder of those for ranks, built by Open MPI's compilers
 * @param openMp folder of those for threads
 */
public record NativeKernels(Optional<Path> serial, Optional<Path> mpi, Optional<Path> openMp) {
    /** None of them. */
    public static final NativeKernels NONE = new NativeKernels(Optional.empty(), Optional.empty(), Optional.empty());

    /** The program of a kernel in a folder of NASA's programs, whatever version made it. */
    static Optional<Path> find(Path folder, String kernel, String letter, int ranks) {
        return List.of("", ".x", "." + ranks).stream()
                .flatMap(end -> List.of(folder, folder.resolve("bin")).stream()
                        .map(place -> place.resolve(kernel + "." + letter + end)))
                .filter(Files::isExecutable)
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /** Millions of operations in a second on one core. */
    OptionalDouble onOneCore(String kernel, String letter) {
        return serial.flatMap(folder -> find(folder, kernel, letter, 1))
                .map(program -> mops(List.of(program.toAbsolutePath().toString()), Map.of()))
                .orElse(OptionalDouble.empty());
    }

    /** The same with ranks of Open MPI. */
    OptionalDouble withMpi(String kernel, String letter, int ranks) {
        Optional<Path> program = mpi.flatMap(folder -> find(folder, kernel, letter, ranks));
        Optional<List<String>> launcher = program.flatMap(found -> OpenMpi.launch(ranks));
        if (program.isEmpty() || launcher.isEmpty()) {
            return OptionalDouble.empty();
        }
        List<String> words = new ArrayList<>(launcher.get());
        words.add(program.get().toAbsolutePath().toString());
        return mops(words, Map.of());
    }

    /** The same with threads of OpenMP. */
    OptionalDouble withOpenMp(String kernel, String letter, int threads) {
        return openMp.flatMap(folder -> find(folder, kernel, letter, threads))
                .map(program -> mops(
                        List.of(program.toAbsolutePath().toString()),
                        Map.of("OMP_NUM_THREADS", Integer.toString(threads))))
                .orElse(OptionalDouble.empty());
    }

    private static OptionalDouble mops(List<String> words, Map<String, String> environment) {
        return KernelRun.mops(KernelRun.output(words, environment));
    }
}
