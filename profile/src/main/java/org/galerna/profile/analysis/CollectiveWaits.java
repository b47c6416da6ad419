package org.galerna.profile.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.galerna.profile.file.RankFile;

/** What ranks wait in collective operations for the rank that comes last. */
final class CollectiveWaits {
    private CollectiveWaits() {}

    /** A rank in a call. */
    private record Arrival(RankFile file, RankFile.Together call) {
        String site() {
            return file.sites().get(call.site()).words();
        }
    }

    /** The calls of one place. */
    private static final class Sum {
        private long number;
        private long nanos;
        private final Map<Integer, Long> byLast = new HashMap<>();
    }

    static List<Profile.Together> of(List<RankFile> files, Clocks clocks) {
        int stride = files.stream().mapToInt(RankFile::collectiveStride).max().orElse(1);
        Map<Long, List<Arrival>> calls = new LinkedHashMap<>();
        for (RankFile file : files) {
            file.collectives()
                    .forEach(call -> calls.computeIfAbsent(call.key(), any -> new ArrayList<>())
                            .add(new Arrival(file, call)));
        }
        Map<String, Sum> sums = new LinkedHashMap<>();
        for (List<Arrival> arrivals : calls.values()) {
            if (arrivals.size() > 1) {
                add(sums, arrivals, clocks);
            }
        }
        return sums.entrySet().stream()
                .map(entry -> row(entry.getKey(), entry.getValue(), stride))
                .sorted(Comparator.comparingDouble(Profile.Together::seconds).reversed())
                .toList();
    }

    private static void add(Map<String, Sum> sums, List<Arrival> arrivals, Clocks clocks) {
        Arrival last = arrivals.getFirst();
        for (Arrival each : arrivals) {
            if (clocks.absolute(each.file, each.call.begun()) > clocks.absolute(last.file, last.call.begun())) {
                last = each;
            }
        }
        long lastBegun = clocks.absolute(last.file, last.call.begun());
        long waited = 0;
        for (Arrival each : arrivals) {
            long begun = clocks.absolute(each.file, each.call.begun());
            long ended = clocks.absolute(each.file, each.call.ended());
            waited += Math.max(0, Math.min(lastBegun, ended) - begun);
        }
        Sum sum = sums.computeIfAbsent(last.site(), any -> new Sum());
        sum.number++;
        sum.nanos += waited;
        sum.byLast.merge(last.file.rank(), waited, Long::sum);
    }

    private static Profile.Together row(String site, Sum sum, int stride) {
        Map.Entry<Integer, Long> worst =
                sum.byLast.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        return new Profile.Together(
                site,
                sum.number * stride,
                Clocks.seconds(sum.nanos * stride),
                worst.getKey(),
                Clocks.seconds(worst.getValue() * stride));
    }
}
