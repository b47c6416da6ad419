package org.galerna.launch.wireup;

/**
 * In which order the managers are looked for; where several have left traces in the environment, the innermost counts.
 * An inherited descriptor is proof that the one who started this process has made it for it. What PMIx leaves is inherited
 * by everything below, and what Slurm leaves even by other managers' ranks.
 */
final class Precedence {
    static final int PMI_2 = 100;
    static final int PMI_1 = 200;
    static final int PMIX = 300;
    static final int PALS = 350;
    static final int SLURM = 400;

    private Precedence() {}
}
