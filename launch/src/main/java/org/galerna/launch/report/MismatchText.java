package org.galerna.launch.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.link.Collective;

/** Ranks that do not call the same collectives, found among those that wait. */
final class MismatchText {
    private MismatchText() {}

    /** A rank and what it has called in the place of a collective. */
    private record Call(int rank, boolean isUnderWay, Collective collective) {}

    /** One line without its end, e.g. {@code rank 0 is in Bcast, rank 2 in Barrier; ...}; empty if nothing contradicts. */
    static Optional<String> of(List<Deadlock.Waiter> waiters) {
        List<Call> calls = waiters.stream()
                .flatMap(MismatchText::calls)
                .filter(each -> each.collective.number() > 0)
                .toList();
        // the first difference is the mistake, what follows it may look alike
        return calls.stream()
                .sorted(Comparator.comparingLong(each -> each.collective.number()))
                .map(each -> calls.stream()
                        .filter(other -> isSame(each.collective, other.collective))
                        .toList())
                .filter(same -> distinct(same, MismatchText::agreed) > 1)
                .findFirst()
                .map(MismatchText::describe);
    }

    private static Stream<Call> calls(Deadlock.Waiter waiter) {
        Collective present = waiter.collective();
        return present == null
                ? Stream.empty()
                : Stream.concat(
                        Stream.of(new Call(waiter.rank(), true, present)),
                        present.others().stream().map(earlier -> new Call(waiter.rank(), false, earlier)));
    }

    private static boolean isSame(Collective one, Collective other) {
        return one.communicator() == other.communicator() && one.number() == other.number();
    }

    /** What all ranks have to agree about. */
    private static String agreed(Collective collective) {
        return collective.describe();
    }

    private static String describe(List<Call> calls) {
        Collective first = calls.getFirst().collective;
        Collective different = calls.stream()
                .map(Call::collective)
                .filter(each -> !agreed(each).equals(agreed(first)))
                .max(Comparator.comparing(each -> !each.name().equals(first.name())))
                .orElseThrow();
        Function<Collective, String> what = first.name().equals(different.name())
                ? each -> each.against(agreed(each).equals(agreed(first)) ? different : first)
                : Collective::name;
        return list(calls, what) + "; " + first.rule(different);
    }

    private static long distinct(List<Call> calls, Function<Collective, Object> what) {
        return calls.stream().map(Call::collective).map(what).distinct().count();
    }

    /** {@code ranks 0, 1 are in Bcast, rank 2 in Barrier}; or what they have called, if some are not there any more. */
    private static String list(List<Call> calls, Function<Collective, String> what) {
        boolean present = calls.stream().allMatch(Call::isUnderWay);
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        calls.forEach(each -> ranks.computeIfAbsent(what.apply(each.collective), key -> new ArrayList<>())
                .add(each.rank));
        List<String> parts = new ArrayList<>();
        ranks.forEach((call, those) -> {
            boolean one = those.size() == 1;
            String who = (one ? "rank " : "ranks ")
                    + those.stream().map(String::valueOf).collect(Collectors.joining(", "));
            String verb = present
                    ? (parts.isEmpty() ? (one ? " is in " : " are in ") : " in ")
                    : parts.isEmpty() ? (one ? " has called " : " have called ") : " ";
            parts.add(who + verb + call);
        });
        return String.join(", ", parts);
    }
}
