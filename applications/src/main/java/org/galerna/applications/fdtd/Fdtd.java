package org.galerna.applications.fdtd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.applications.Program;
import org.galerna.applications.Progress;
import org.galerna.applications.team.Team;
import org.jspecify.annotations.Nullable;

/**
 * The simulation as a message-passing program; run it with any number of ranks.
 *
 * <p>Rank 0 reads the parameter file and leaves in the output folder {@code field.png} (the field at the end),
 * {@code energy.csv} (the energy in the cavity over time) and {@code run.properties} (time, messages and bytes).
 *
 * <p>Energies do not depend on the number of ranks, not even in the last bit: see {@link ExactSum}.
 */
public final class Fdtd {
    private static final int ROOT = 0;
    private static final int PICTURE_LIMIT = 1920;
    private static final int FRAME_LIMIT = 960;
    private static final int WARM_UP_STEPS = 20;
    private static final int ROWS_BETWEEN_PROGRESS = 64;

    private final Intracomm communicator;
    private final Simulation simulation;
    private final Parameters parameters;
    private final FdtdOptions options;
    private final Decomposition decomposition;
    private final Subdomain subdomain;
    private final HaloExchange halo;
    private final boolean isRoot;
    private double drawingSeconds;

    private Fdtd(Intracomm communicator, Simulation simulation, FdtdOptions options) {
        this.communicator = communicator;
        this.simulation = simulation;
        this.parameters = simulation.parameters();
        this.options = options;
        this.decomposition = simulation.decompose(communicator.Size());
        int rank = communicator.Rank();
        this.isRoot = rank == ROOT;
        this.subdomain = new Subdomain(
                decomposition.tile(rank), simulation.obstacles(), parameters.courant(), parameters.source());
        this.halo = new HaloExchange(communicator, decomposition, subdomain);
    }

    /** Runs; the exit status is 2 if the arguments or the parameter file are wrong. */
    public static void main(String[] arguments) {
        Program.run("fdtd", arguments, Fdtd::run);
    }

    private static boolean run(Intracomm communicator, String[] arguments) {
        FdtdOptions options = FdtdOptions.parse(arguments);
        Simulation simulation = Simulation.readAndShare(communicator, options.parameterFile());
        if (options.steps().isPresent()) {
            simulation = simulation.withSteps(options.steps().getAsInt());
        }
        new Fdtd(communicator, simulation, options).run();
        return true;
    }

    private void run() {
        if (isRoot) {
            createFolder(options.outputFolder());
        }
        RunSummary summary = simulate();
        drawResult();
        if (options.fieldFile().isPresent()) {
            writeField(options.fieldFile().get());
        }
        if (isRoot) {
            summary.write(options.outputFolder().resolve("run.properties"));
            System.out.println(describe(summary));
        }
    }

    private static void createFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot create the output folder " + folder, failure);
        }
    }

    private RunSummary simulate() {
        double[] pulses = parameters.pulses();
        ExactSum energy = new ExactSum();
        int steps = parameters.steps();
        try (Frames frames = new Frames();
                Outputs outputs = new Outputs()) {
            warmUp();
            communicator.Barrier();
            double start = System.nanoTime() * 1e-9;
            for (int step = 0; step < steps; step++) {
                if (advance(step, pulses[step], energy)) {
                    outputs.addEnergy(step, energy);
                }
                frames.drawIfDue(step + 1);
                outputs.update(step + 1);
            }
            halo.flush();
            communicator.Barrier();
            return summary(System.nanoTime() * 1e-9 - start - drawingSeconds);
        }
    }

    /**
     * Each rank has its own copy of the classes, which the compiler has to translate for each. So the steps that are timed
     * follow others, of an empty field: without a source all of its values stay 0.
     */
    private void warmUp() {
        if (options.warmUpSeconds() == 0) {
            return;
        }
        ExactSum energy = new ExactSum();
        Team.run(
                communicator,
                1,
                member -> member.warmUp(options.warmUpSeconds(), () -> {
                    for (int step = 0; step < WARM_UP_STEPS; step++) {
                        advance(step, 0.0, energy);
                    }
                }));
        halo.clearCounters();
    }

    /** One step; returns whether the energy before it was measured. */
    private boolean advance(int step, double pulse, ExactSum energy) {
        halo.start();
        boolean isMeasured = step % parameters.energyInterval() == 0;
        if (isMeasured) {
            halo.finish();
            energy.clear();
            subdomain.stepMeasuringEnergy(pulse, energy);
            return true;
        }
        int height = subdomain.tile().height();
        for (int row = 0; row < height; row += ROWS_BETWEEN_PROGRESS) {
            subdomain.stepInside(row, Math.min(row + ROWS_BETWEEN_PROGRESS, height));
            halo.progress();
        }
        halo.finish();
        subdomain.stepBorder(pulse);
        return false;
    }

    private RunSummary summary(double seconds) {
        long[] sent = {halo.messages(), halo.bytes()};
        long[] total = new long[sent.length];
        communicator.Reduce(sent, 0, total, 0, sent.length, MPI.LONG, MPI.SUM, ROOT);
        return new RunSummary(
                decomposition.ranks(),
                decomposition.columns(),
                decomposition.rows(),
                (long) parameters.width() * parameters.height(),
                parameters.steps(),
                seconds,
                total[0],
                total[1]);
    }

    private void drawResult() {
        int pitch = FieldGather.pitchFor(decomposition, PICTURE_LIMIT);
        FieldGather gather = new FieldGather(communicator, decomposition, subdomain, pitch);
        double[] field = gather.gather();
        if (isRoot) {
            try (Album album = new Album(options.outputFolder(), simulation, gather.columns(), gather.rows(), pitch)) {
                album.drawField(field, parameters.steps());
            }
        }
    }

    private void writeField(Path file) {
        FieldGather gather = new FieldGather(communicator, decomposition, subdomain, 1);
        try (FieldFile.@Nullable Writer writer = isRoot ? new FieldFile.Writer(file) : null) {
            for (Component component : Component.values()) {
                double[] field = gather.gather(component);
                if (writer != null) {
                    writer.write(field);
                }
            }
        }
    }

    private String describe(RunSummary summary) {
        return String.format(
                Locale.ROOT,
                "%d by %d cells, %d steps on %d %s (%d by %d tiles): %.2f s, %.0f million cells/s,"
                        + " %d messages, %.1f MB; results in %s",
                parameters.width(),
                parameters.height(),
                parameters.steps(),
                summary.ranks(),
                summary.ranks() == 1 ? "rank" : "ranks",
                summary.columns(),
                summary.rows(),
                summary.seconds(),
                summary.cellsPerSecond() / 1e6,
                summary.messages(),
                summary.bytes() / 1e6,
                options.outputFolder());
    }

    /** The energy, reduced over all ranks, and the progress; written on rank 0. */
    private final class Outputs implements AutoCloseable {
        private final long[] part = new long[ExactSum.LIMBS];
        private final long[] total = new long[ExactSum.LIMBS];
        private final ExactSum sum = new ExactSum();
        private final @Nullable EnergyLog log;
        private final @Nullable Progress progress;

        Outputs() {
            int ranks = decomposition.ranks();
            this.log = isRoot ? new EnergyLog(options.outputFolder().resolve("energy.csv"), parameters) : null;
            this.progress = isRoot
                    ? Progress.start(options.progress(), ranks + (ranks == 1 ? " rank" : " ranks"), parameters.steps())
                    : null;
        }

        void addEnergy(int step, ExactSum energy) {
            energy.copyTo(part, 0);
            communicator.Reduce(part, 0, total, 0, ExactSum.LIMBS, MPI.LONG, MPI.SUM, ROOT);
            if (log != null) {
                sum.setTo(total, 0);
                log.add(step, sum.value());
            }
        }

        void update(int done) {
            if (progress != null) {
                progress.update(done);
            }
        }

        @Override
        public void close() {
            if (progress != null) {
                progress.close();
            }
            if (log != null) {
                log.close();
            }
        }
    }

    /** The animated sequence, drawn on rank 0 at even distances in time. */
    private final class Frames implements AutoCloseable {
        private final @Nullable FieldGather gather;
        private final @Nullable Album album;
        private int drawn;

        Frames() {
            if (options.frames() == 0) {
                this.gather = null;
                this.album = null;
                return;
            }
            int pitch = FieldGather.pitchFor(decomposition, FRAME_LIMIT);
            this.gather = new FieldGather(communicator, decomposition, subdomain, pitch);
            this.album = isRoot
                    ? new Album(options.outputFolder(), simulation, gather.columns(), gather.rows(), pitch)
                    : null;
            if (album != null) {
                album.removeOldFrames();
            }
        }

        void drawIfDue(int step) {
            if (gather == null || drawn == options.frames()) {
                return;
            }
            if ((long) step * options.frames() < (drawn + 1L) * parameters.steps()) {
                return;
            }
            drawn++;
            double[] field = gather.gather();
            if (album != null) {
                double start = System.nanoTime() * 1e-9;
                album.drawFrame(field, step);
                drawingSeconds += System.nanoTime() * 1e-9 - start;
            }
        }

        @Override
        public void close() {
            if (album != null) {
                album.close();
            }
        }
    }
}
