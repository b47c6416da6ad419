package org.galerna.bench.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.galerna.launch.process.Host;

/**
 * What the demonstration is to do.
 *
 * @param parameterFile what to simulate; empty for the harbour that comes with Galerna
 * @param outputFolder where pictures and tables go; is created
 * @param frames number of pictures of an animated sequence, 0 for none
 * @param ranks numbers of ranks to run on, each at least 1; pictures are drawn by the last run
 * @param processes where to run ranks as processes; empty for ranks that are threads
 * @param quick a small part of the work, to see that everything runs; says nothing about speed
 */
public record DemoOptions(
        Optional<Path> parameterFile,
        Path outputFolder,
        int frames,
        List<Integer> ranks,
        Optional<Processes> processes,
        boolean quick) {
    /**
     * Ranks as processes. All hosts have the current folder in common.
     *
     * @param hosts where they run; none for this host
     * @param ssh words of the command that reaches another host
     */
    public record Processes(List<Host> hosts, List<String> ssh) {
        /** Processes with the lists copied. */
        public Processes {
            hosts = List.copyOf(hosts);
            ssh = List.copyOf(ssh);
        }
    }

    /** The folder that results go to unless another one is named. */
    public static final Path DEFAULT_OUTPUT_FOLDER = Path.of("galerna-demo");

    /** The numbers of ranks unless others are named. */
    public static final List<Integer> DEFAULT_RANKS = List.of(1, 2, 4);

    /** Checks ranges. */
    public DemoOptions {
        ranks = List.copyOf(ranks);
        if (ranks.isEmpty() || ranks.stream().anyMatch(number -> number < 1)) {
            throw new IllegalArgumentException("numbers of ranks must be at least 1, and there must be one: " + ranks);
        }
        if (frames < 0) {
            throw new IllegalArgumentException("the number of frames must not be negative: " + frames);
        }
    }
}
