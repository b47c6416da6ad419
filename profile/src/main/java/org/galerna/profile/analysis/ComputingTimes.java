package org.galerna.profile.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.galerna.profile.file.RankFile;

/** What the program does between two calls, where all ranks do it as often and one takes longest. */
final class ComputingTimes {
    private ComputingTimes() {}

    private record Between(String from, String to) {}

    private record OfRank(int rank, long number, long nanos) {}

    static List<Profile.Computing> of(List<RankFile> files) {
        Map<Between, List<OfRank>> all = new LinkedHashMap<>();
        for (RankFile file : files) {
            for (RankFile.Gap gap : file.gaps()) {
                Between between = new Between(
                        file.sites().get(gap.from()).words(),
                        file.sites().get(gap.to()).words());
                all.computeIfAbsent(between, any -> new ArrayList<>())
                        .add(new OfRank(file.rank(), gap.number(), gap.time()));
            }
        }
        return all.entrySet().stream()
                .filter(entry -> entry.getValue().size() == files.size() && files.size() > 1)
                .map(entry -> row(entry.getKey(), entry.getValue()))
                .filter(row -> row.seconds() > row.others())
                .sorted(Comparator.comparingDouble((Profile.Computing row) -> row.seconds() - row.others())
                        .reversed())
                .toList();
    }

    private static Profile.Computing row(Between between, List<OfRank> ranks) {
        OfRank longest =
                ranks.stream().max(Comparator.comparingLong(OfRank::nanos)).orElseThrow();
        double others = ranks.stream()
                .filter(each -> each.rank != longest.rank)
                .mapToLong(OfRank::nanos)
                .average()
                .orElse(0);
        return new Profile.Computing(
                between.from, between.to, longest.rank, longest.number, Clocks.seconds(longest.nanos), others / 1e9);
    }
}
