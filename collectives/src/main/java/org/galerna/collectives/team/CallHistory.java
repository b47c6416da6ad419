package org.galerna.collectives.team;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/**
 * What the members of a team have called, in words and in order, for reports and errors. All members call the collectives of
 * a communicator in the same order, whether they block or not: so each has one place, by which calls are compared.
 */
final class CallHistory {
    private final int context;
    private volatile IntFunction<String> names = number -> "collective " + number;

    CallHistory(int context) {
        this.context = context;
    }

    /** Gives operations that block their names, by their numbers. */
    void name(IntFunction<String> operations) {
        names = operations;
    }

    /** The last collective that a member has called, of those that block; the others around it are known, too. */
    Collective last(Calls calls) {
        long number = calls.number();
        return blocking(calls, number, place(calls, number)).among(of(calls));
    }

    /** A collective that does not block. */
    Collective started(Calls calls, long number, int tag, long bytes) {
        return new Collective(
                        context,
                        number + calls.startedAfter(number),
                        nonblocking(names.apply(CallTag.operation(tag))),
                        CallTag.root(tag),
                        bytes)
                .among(of(calls));
    }

    private Collective blocking(Calls calls, long number, long place) {
        long call = calls.get(number);
        int tag = CallTag.blocking(0, Collective.NONE) | Calls.tag(call);
        return new Collective(
                context, place, names.apply(CallTag.operation(tag)), CallTag.root(tag), Calls.bytes(call));
    }

    /** The last calls of a member, of both kinds, by their places. */
    private List<Collective> of(Calls calls) {
        List<Collective> known = new ArrayList<>();
        long last = calls.number();
        for (long number = Math.max(1, last - Calls.DEPTH + 1); number <= last; number++) {
            long place = place(calls, number);
            if (place != Collective.NONE && Calls.is(calls.get(number), number)) {
                known.add(blocking(calls, number, place));
            }
        }
        long started = calls.started();
        for (long number = Math.max(1, started - Calls.DEPTH + 1); number <= started; number++) {
            long call = calls.getStarted(number);
            if (Calls.is(call, number)) {
                int tag = CallTag.blocking(0, Collective.NONE) | Calls.tag(call);
                known.add(new Collective(
                        context,
                        number + calls.startedAfter(number),
                        nonblocking(names.apply(CallTag.operation(tag))),
                        CallTag.root(tag),
                        Calls.bytes(call)));
            }
        }
        known.sort(CallHistory::byPlace);
        return known;
    }

    /** No comparator of the JDK's, which would be a new class for each rank that waits. */
    private static int byPlace(Collective one, Collective other) {
        return Long.compare(one.number(), other.number());
    }

    /**
     * The place of a collective that blocks among those of both kinds, or {@link Collective#NONE} if what came before it is not
     * known any more.
     */
    private static long place(Calls calls, long number) {
        long started = calls.started();
        long before = started;
        while (before > 0 && calls.startedAfter(before) >= number) {
            before--;
            if (before > 0 && before <= started - Calls.DEPTH) {
                return Collective.NONE;
            }
        }
        return number + before;
    }

    // ---- in words

    /** Name of the collective that does not block, by the name of the one that does. */
    static String nonblocking(String name) {
        return "I" + name.toLowerCase(Locale.ROOT);
    }

    /** A collective by the tag of its messages. */
    String describe(int tag) {
        Collective call = byTag(tag);
        return call.root() < 0 ? call.name() : call.name() + " with root " + call.root();
    }

    private Collective byTag(int tag) {
        String name = names.apply(CallTag.operation(tag));
        return CallTag.isBlocking(tag)
                ? new Collective(context, 0, name, CallTag.root(tag), Collective.NONE)
                : new Collective(context, 0, nonblocking(name), Collective.NONE, Collective.NONE);
    }

    /** What is wrong if one rank is in the collective of one tag while another one is in that of another. */
    String outOfStep(int rank, int tag, int other, int otherTag) {
        Collective one = byTag(tag);
        Collective two = byTag(otherTag);
        return "rank " + rank + (CallTag.isBlocking(tag) ? " is in " : " has called ") + one.against(two) + ", rank "
                + other + (CallTag.isBlocking(tag) ? " in " : " is in ") + two.against(one) + "; " + one.rule(two);
    }

    /**
     * What is wrong if two members have called different collectives as the same one; null if nothing tells so. The first
     * difference counts: what follows it may look alike.
     */
    @Nullable
    String contradiction(int rank, Calls calls, int other, Calls ofOther) {
        List<Collective> others = of(ofOther);
        for (Collective one : of(calls)) {
            for (Collective two : others) {
                if (one.number() == two.number() && !one.describe().equals(two.describe())) {
                    return "rank " + rank + " has called " + one.against(two) + ", rank " + other + " "
                            + two.against(one) + "; " + one.rule(two);
                }
            }
        }
        return null;
    }
}
