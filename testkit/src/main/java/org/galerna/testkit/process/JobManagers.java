package org.galerna.testkit.process;

import org.jspecify.annotations.Nullable;

/**
 * The job managers that tests try, started when they are first needed. Where one is not installed, the tests that need it
 * are skipped. For one thread.
 */
public final class JobManagers implements AutoCloseable {
    private @Nullable SlurmCluster slurm;

    /** Nothing is started yet. */
    public JobManagers() {}

    /** A way to start a job. */
    public enum Kind {
        /** MPICH's {@code mpiexec}: PMI-1, an inherited socket. */
        MPIEXEC,
        /** MPICH's {@code mpiexec -pmi-port}: PMI-1, a socket to a port. */
        MPIEXEC_PORT,
        /** Open MPI's {@code mpirun}: PMIx. */
        MPIRUN,
        /** {@code srun --mpi=pmi2}, on two nodes: PMI-2. */
        SRUN_PMI2,
        /** {@code srun --mpi=pmix}, on two nodes: PMIx. */
        SRUN_PMIX,
        /** {@code srun --mpi=cray_shasta}, on two nodes: what PALS sets. */
        SRUN_CRAY,
        /** {@code srun --mpi=none}, on two nodes. */
        SRUN_NONE
    }

    /** The launcher of that kind. */
    public JobLauncher launcher(Kind kind) throws InterruptedException {
        return switch (kind) {
            case MPIEXEC -> JobLauncher.hydra();
            case MPIEXEC_PORT -> JobLauncher.hydraWithPort();
            case MPIRUN -> JobLauncher.openMpi();
            case SRUN_PMI2 -> slurm().srun("pmi2");
            case SRUN_PMIX -> slurm().srun("pmix");
            case SRUN_CRAY -> slurm().srun("cray_shasta");
            case SRUN_NONE -> slurm().srun("none");
        };
    }

    private SlurmCluster slurm() throws InterruptedException {
        SlurmCluster running = slurm;
        if (running == null) {
            running = SlurmCluster.start();
            slurm = running;
        }
        return running;
    }

    @Override
    public void close() {
        if (slurm != null) {
            slurm.close();
        }
    }
}
