package org.galerna.link.counters;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job of this user on this host, at some moment.
 *
 * @param id its short name, which people type
 * @param ranks those on this host that have not left, in their order; at least one
 */
public record JobReport(String id, List<RankReport> ranks) {
    private static final String UNFINISHED = ".";

    /** A report with the list copied. */
    public JobReport {
        ranks = List.copyOf(ranks);
    }

    /** Whether one of its processes is there. */
    public boolean isAlive() {
        return ranks.stream().anyMatch(RankReport::isAlive);
    }

    /** Whether it is no job of ranks, but a node of messages or the fast sockets of a process. */
    public boolean isService() {
        return ranks.getFirst().isService();
    }

    /** Number of ranks of the whole job. */
    public int size() {
        return ranks.getFirst().ranks();
    }

    /** When its first rank began, by {@link System#currentTimeMillis}. */
    public long startMillis() {
        return ranks.stream().mapToLong(RankReport::startMillis).min().orElse(0);
    }

    /** The numbers of its processes. */
    public List<Long> processes() {
        return ranks.stream().map(RankReport::process).distinct().toList();
    }

    /**
     * The jobs of this user on this host, those that began last first. What jobs have left that ended long ago is removed.
     *
     * @throws IOException if the folder with them is not this user's alone
     */
    public static List<JobReport> all() throws IOException {
        Path ofUser = CountersFolder.ofUser();
        if (!Files.exists(ofUser)) {
            return List.of();
        }
        CountersFolder.requireOwn(ofUser);
        CountersFolder.removeOld(ofUser);
        List<JobReport> jobs = new ArrayList<>();
        for (Path folder : CountersFolder.jobs(ofUser)) {
            JobReport job = read(folder);
            if (job != null) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    /** The job of that full name; null if there is none, or all of its ranks have left it. */
    public static @Nullable JobReport of(String job) throws IOException {
        return read(CountersFolder.ofUser().resolve(CountersFolder.id(job)));
    }

    /** The job as it is now; null if all of its ranks have left it. */
    public @Nullable JobReport again() throws IOException {
        return read(CountersFolder.ofUser().resolve(id));
    }

    private static @Nullable JobReport read(Path folder) throws IOException {
        List<RankReport> ranks = new ArrayList<>();
        for (Path file : files(folder)) {
            try {
                RankReport rank = RankReport.read(file);
                if (rank != null) {
                    ranks.add(rank);
                }
            } catch (NoSuchFileException left) {
                // it has ended in good order meanwhile
            }
        }
        if (ranks.isEmpty()) {
            return null;
        }
        ranks.sort(Comparator.comparingInt(RankReport::rank));
        return new JobReport(String.valueOf(folder.getFileName()), ranks);
    }

    private static List<Path> files(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                boolean finished = !String.valueOf(file.getFileName()).startsWith(UNFINISHED);
                if (finished && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(file);
                }
            }
        } catch (NoSuchFileException gone) {
            return List.of();
        }
        return found;
    }

    /** Whether a process of that job is there. */
    static boolean isInUse(Path folder) throws IOException {
        JobReport job = read(folder);
        return job != null && job.isAlive();
    }
}
