package org.galerna.profile.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.galerna.profile.file.RankFile;

/**
 * The clocks of the ranks. Ranks of one host have one clock, {@link System#nanoTime}; between hosts their clocks of the day are
 * compared, which are as exact as the hosts keep them.
 */
public final class Clocks {
    private static final double NANOS = 1e9;

    private final Map<Integer, Long> ofHost = new HashMap<>();
    private final long begin;
    private final long end;

    /** The clocks of the ranks of a job. */
    public Clocks(List<RankFile> files) {
        files.forEach(file -> ofHost.putIfAbsent(file.host(), file.clock()));
        begin = files.stream()
                .mapToLong(file -> absolute(file, file.begin()))
                .min()
                .orElse(0);
        end = files.stream().mapToLong(file -> absolute(file, file.end())).max().orElse(begin);
    }

    /** A time of a rank, comparable with those of all others, in nanoseconds. */
    long absolute(RankFile file, long nanos) {
        return nanos + ofHost.getOrDefault(file.host(), file.clock());
    }

    /** When the job began, in nanoseconds since 1970. */
    public long begin() {
        return begin;
    }

    /** A time of a rank, in nanoseconds since the job began. */
    public long sinceBegin(RankFile file, long nanos) {
        return absolute(file, nanos) - begin;
    }

    /** A time of a rank, in seconds since the job began. */
    double at(RankFile file, long nanos) {
        return seconds(sinceBegin(file, nanos));
    }

    /** When the job ended, in seconds since it began. */
    double end() {
        return seconds(end - begin);
    }

    static double seconds(long nanos) {
        return nanos / NANOS;
    }
}
