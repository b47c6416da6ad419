package org.galerna.profile.analysis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.galerna.profile.file.RankFile;
import org.galerna.profile.file.RankFiles;
import org.galerna.profile.file.Site;

/** Puts the files of the ranks of a job together. */
public final class ProfileReader {
    private static final String SUFFIX = ".profile";

    private ProfileReader() {}

    /**
     * The files in a folder, in the order of the ranks; none if no rank has written one.
     *
     * @throws IOException if one cannot be read
     */
    public static List<RankFile> files(Path folder) throws IOException {
        List<RankFile> files = new ArrayList<>();
        try (Stream<Path> paths = Files.list(folder)) {
            for (Path each :
                    paths.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
                files.add(RankFiles.read(each));
            }
        }
        files.sort(Comparator.comparingInt(RankFile::rank));
        return files;
    }

    /**
     * What the files say together.
     *
     * @param files of at least one rank, all of one job
     */
    public static Profile of(List<RankFile> files) {
        Clocks clocks = new Clocks(files);
        int ranks = files.getFirst().size();
        Set<Integer> present = new HashSet<>();
        files.forEach(file -> present.add(file.rank()));
        List<Profile.Rank> each = files.stream().map(file -> rank(file, clocks)).toList();
        List<Profile.SiteRow> sites = sites(files);
        List<Profile.Wait> waits = MessageWaits.of(files, clocks);
        List<Profile.Together> together = CollectiveWaits.of(files, clocks);
        List<Profile.Computing> computing = ComputingTimes.of(files);
        Profile profile = new Profile(
                ranks,
                IntStream.range(0, ranks)
                        .filter(rank -> !present.contains(rank))
                        .boxed()
                        .toList(),
                clocks.end(),
                each,
                sites,
                files.stream().flatMap(ProfileReader::cells).toList(),
                sizes(files),
                files.stream().mapToLong(RankFile::untold).sum(),
                waits,
                together,
                computing,
                List.of());
        return new Profile(
                profile.ranks(),
                profile.missing(),
                profile.seconds(),
                profile.each(),
                profile.sites(),
                profile.matrix(),
                profile.sizes(),
                profile.untold(),
                profile.waits(),
                profile.together(),
                profile.computing(),
                Advisor.advise(profile));
    }

    private static Profile.Rank rank(RankFile file, Clocks clocks) {
        List<Double> inCalls = new ArrayList<>();
        List<List<Double>> timeline = new ArrayList<>();
        List<long[]> rows = file.timeline().slices();
        long[] off = rows.getLast();
        for (long[] slices : rows.subList(0, rows.size() - 1)) {
            inCalls.add(Clocks.seconds(LongStream.of(slices).sum()));
            timeline.add(shares(slices, file.timeline().width()));
        }
        double notRecorded = Clocks.seconds(LongStream.of(off).sum());
        double whole = Clocks.seconds(file.end() - file.begin()) - notRecorded;
        double outside = Math.max(
                0, whole - inCalls.stream().mapToDouble(Double::doubleValue).sum());
        return new Profile.Rank(
                file.rank(),
                file.host(),
                file.processors(),
                file.finished(),
                clocks.at(file, file.begin()),
                clocks.at(file, file.end()),
                inCalls,
                outside,
                notRecorded,
                clocks.at(file, file.timeline().begin()),
                Clocks.seconds(file.timeline().width()),
                timeline,
                shares(off, file.timeline().width()));
    }

    /** The slices up to the last one with anything in it, each as a share of its length. */
    private static List<Double> shares(long[] slices, long width) {
        int number = slices.length;
        while (number > 0 && slices[number - 1] == 0) {
            number--;
        }
        return LongStream.of(slices)
                .limit(number)
                .mapToObj(nanos -> Math.round(1e4 * nanos / width) / 1e4)
                .toList();
    }

    private static List<Profile.SiteRow> sites(List<RankFile> files) {
        Map<Site, SiteSum> sums = new LinkedHashMap<>();
        for (RankFile file : files) {
            for (int site = 0; site < file.sites().size(); site++) {
                RankFile.Calls calls = file.calls().get(site);
                if (calls.number() > 0) {
                    sums.computeIfAbsent(file.sites().get(site), any -> new SiteSum())
                            .add(file.rank(), calls);
                }
            }
        }
        return sums.entrySet().stream()
                .map(entry -> entry.getValue().toRow(entry.getKey()))
                .sorted(Comparator.comparingDouble(Profile.SiteRow::seconds).reversed())
                .toList();
    }

    /** The calls of one site, of all ranks; a rank may have several numbers for one site, if a line has several calls. */
    private static final class SiteSum {
        private final Map<Integer, Long> byRank = new HashMap<>();
        private long number;
        private long time;
        private long bytes;
        private long longest;
        private int longestRank;

        void add(int rank, RankFile.Calls calls) {
            byRank.merge(rank, calls.time(), Long::sum);
            number += calls.number();
            time += calls.time();
            bytes += calls.bytes();
            if (calls.longest() > longest) {
                longest = calls.longest();
                longestRank = rank;
            }
        }

        Profile.SiteRow toRow(Site site) {
            long most =
                    byRank.values().stream().mapToLong(Long::longValue).max().orElse(0);
            double mean = (double) time / byRank.size();
            return new Profile.SiteRow(
                    site.place(),
                    site.call(),
                    site.kind(),
                    byRank.size(),
                    number,
                    Clocks.seconds(time),
                    Clocks.seconds(longest),
                    longestRank,
                    bytes,
                    mean == 0 ? 1 : most / mean);
        }
    }

    private static Stream<Profile.Cell> cells(RankFile file) {
        return file.peers().stream()
                .map(peer -> new Profile.Cell(
                        file.rank(),
                        peer.rank(),
                        peer.messages(),
                        peer.bytes(),
                        peer.collectiveMessages(),
                        peer.collectiveBytes()));
    }

    private static List<Long> sizes(List<RankFile> files) {
        long[] sums = new long[files.getFirst().sizes().size()];
        for (RankFile file : files) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += file.sizes().get(i);
            }
        }
        return LongStream.of(sums).boxed().toList();
    }
}
