package org.galerna.launch.place;

import java.util.List;

/**
 * How many threads the compilers of a virtual machine have. Ranks that wait keep their cores busy. Where every core has one,
 * the two compilers of a small host get what the ranks leave them: half of a core each. So a program runs for seconds in
 * the interpreter and in code of the quick compiler. More threads get a greater part of the cores. They sleep once the
 * program is compiled.
 */
public final class CompilerThreads {
    /** In addition to one for each core. */
    private static final int MORE = 2;

    /** From this number of cores on, the virtual machine itself has enough of them. */
    private static final int MANY_CORES = 16;

    private CompilerThreads() {}

    /** The option for a virtual machine with that many ranks on that many cores, if it needs one. */
    public static List<String> options(int ranks, int cores) {
        return ranks < cores || ranks == 1 || cores >= MANY_CORES
                ? List.of()
                : List.of("-XX:CICompilerCount=" + (cores + MORE));
    }
}
