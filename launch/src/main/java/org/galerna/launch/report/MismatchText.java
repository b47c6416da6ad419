package org.galerna.launch.report;

import java.util.ArrayList;
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
        List<Call> calls = waiters.stream().flatMap(MismatchText::calls).toList();
        return calls.stream()
                .filter(Call::isUnderWay)
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
                        present.earlier().stream().map(earlier -> new Call(waiter.rank(), false, earlier)));
    }

    private static boolean isSame(Collective one, Collective other) {
        return one.communicator() == other.communicator() && one.number() == other.number();
    }

    /** What all ranks have to agree about. */
    private static String agreed(Collective collective) {
        return collective.describe();
    }

    private static String describe(List<Call> calls) {
        if (distinct(calls, Collective::name) > 1) {
            return list(calls, Collective::name)
                    + "; all ranks of a communicator have to call the same collectives in the same order";
        }
        if (distinct(calls, Collective::root) > 1) {
            return list(calls, each -> each.name() + " with root " + each.root())
                    + "; all ranks have to call it with the same root";
        }
        return list(calls, each -> each.name() + " of " + each.bytes() + " bytes")
                + "; all ranks have to call it with matching counts";
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
