package org.galerna.profile.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.galerna.mpi.session.Session;
import org.galerna.profile.file.CollectiveVolume;
import org.galerna.profile.file.RankFile;
import org.galerna.profile.file.Site;
import org.jspecify.annotations.Nullable;

/**
 * What a rank has recorded. All of it is sums, or kept in a bounded number: of messages and collective calls every
 * {@code stride}-th is kept, which is the same one at both ends, and {@code stride} doubles when there is no more room. Guarded
 * by the recorder.
 */
final class Ledger {
    private static final int SIZES = 65;
    private static final int MOST_GAP_SITES = 1024;

    private final List<Site> sites = new ArrayList<>();
    private long[] numbers = new long[16];
    private long[] times = new long[16];
    private long[] longest = new long[16];
    private long[] bytes = new long[16];
    private int[] kinds = new int[16];
    /** By the site before: numbers and times by the site after. */
    private long[][] gaps = new long[16][];

    private long[][] peers = {};
    private final long[] sizes = new long[SIZES];
    private final Slices slices;

    private boolean on = true;
    private long onSince;
    private long offSince;

    private final Sequences sent = new Sequences();
    private final Sequences received = new Sequences();
    private final Sequences together = new Sequences();
    private final Samples<MessageEnd> messages = new Samples<>(message -> message.sequence);
    private final Samples<CallTogether> collectives = new Samples<>(CallTogether::sequence);
    private final Trace trace = new Trace();

    /** A call that is kept. */
    private record CallTogether(long key, int sequence, long begun, long ended, int site) {}

    Ledger(long begin) {
        this.slices = new Slices(begin);
        this.onSince = begin;
    }

    /** Whether it is recorded what the rank does; its messages are numbered all the same. */
    void turn(boolean wanted, long now) {
        if (wanted && !on) {
            slices.add(Slices.OFF, offSince, now);
            onSince = now;
        } else if (!wanted && on) {
            offSince = now;
        }
        on = wanted;
    }

    void ranks(int size) {
        if (peers.length < size) {
            peers = Arrays.copyOf(peers, size);
        }
        trace.ranks(size);
    }

    /** Ranks have contexts in common from now on. */
    void communicator(int contexts, int[] members) {
        trace.communicator(contexts, members);
    }

    int site(Site site) {
        int number = sites.size();
        sites.add(site);
        if (number == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * number);
            times = Arrays.copyOf(times, 2 * number);
            longest = Arrays.copyOf(longest, 2 * number);
            bytes = Arrays.copyOf(bytes, 2 * number);
            kinds = Arrays.copyOf(kinds, 2 * number);
            gaps = Arrays.copyOf(gaps, 2 * number);
        }
        kinds[number] = site.kind().position();
        return number;
    }

    // ---- calls

    void callEnds(ThreadCall call, long end, int own) {
        settle(call, own, end);
        int site = call.site;
        boolean recorded = on && call.begin >= onSince;
        if (recorded) {
            if (call.ranks > 0) {
                call.bytes = CollectiveVolume.of(
                                sites.get(site).call(), call.ranks, call.isRoot, call.given, call.gotten)
                        .given();
            }
            add(call, end);
        }
        for (int i = 0; i < call.endedNumber; i++) {
            MessageEnd message = call.ended[i];
            if (message != null) {
                message.ends(call.thread, call.begin, end);
                message.site = site;
                call.ended[i] = null;
            }
        }
        call.endedNumber = 0;
        if (call.together != 0) {
            int sequence = together.next(call.together);
            if (recorded && collectives.takes(sequence)) {
                collectives.add(new CallTogether(call.together, sequence, call.begin, end, site));
            }
        }
    }

    private void add(ThreadCall call, long end) {
        int site = call.site;
        long time = end - call.begin;
        numbers[site]++;
        times[site] += time;
        longest[site] = Math.max(longest[site], time);
        bytes[site] += call.bytes;
        slices.add(kinds[site], call.begin, end);
        if (call.lastSite != ThreadCall.NONE && call.lastEnd >= onSince) {
            gap(call.lastSite, site, call.begin - call.lastEnd);
        }
        trace.add(call, end);
    }

    private void gap(int from, int to, long time) {
        if (to >= MOST_GAP_SITES || from >= MOST_GAP_SITES) {
            return;
        }
        long[] row = gaps[from];
        if (row == null || row.length <= 2 * to + 1) {
            row = row == null ? new long[2 * numbers.length] : Arrays.copyOf(row, 2 * numbers.length);
            gaps[from] = row;
        }
        row[2 * to]++;
        row[2 * to + 1] += time;
    }

    // ---- messages

    /**
     * Takes over what a call has noted.
     *
     * @param now when all of it was over
     */
    void settle(ThreadCall call, int own, long now) {
        for (int i = 0; i < call.noted; i++) {
            MessageNote note = call.notes[i];
            MessageEnd end = note.sent ? sends(call, note, own, now) : receives(call, note, own, now);
            if (end != null) {
                call.ends(end);
            }
        }
        call.noted = 0;
    }

    /** A message leaves; the end to be told of, or null if this one is not kept. */
    @Nullable
    MessageEnd sends(ThreadCall call, MessageNote note, int own, long now) {
        int part = note.context % Session.CONTEXTS_PER_COMMUNICATOR;
        long pair = pair(own, note.peer, note.tag, note.context);
        int sequence = part == Session.MESSAGES ? sent.next(pair, call.thread, note.earliest, now) : Sequences.UNKNOWN;
        if (!on) {
            return null;
        }
        boolean second = part == Session.SECOND_PARTS;
        boolean ofProgram = second || part == Session.MESSAGES;
        long length = note.length;
        long[] peer = peers[note.peer];
        if (peer == null) {
            peer = new long[4];
            peers[note.peer] = peer;
        }
        int row = ofProgram ? 0 : 2;
        peer[row] += second ? 0 : 1; // an object whose second part this is has been counted
        peer[row + 1] += length;
        call.bytes += ofProgram ? length : 0;
        if (part != Session.MESSAGES) {
            return null;
        }
        sizes[Long.SIZE - Long.numberOfLeadingZeros(length)]++;
        return keep(call, note, pair, sequence);
    }

    private static long pair(int source, int destination, int tag, int context) {
        return Sequences.key((long) source << Integer.SIZE | destination, (long) tag << Integer.SIZE | context);
    }

    /** A receive has been posted whose sender and tag are known: the number of its message. */
    int posts(int own, int source, int tag, int context, int thread, long begun, long now) {
        return received.next(pair(source, own, tag, context), thread, begun, now);
    }

    /** A message that has a number does not reach its receiver, or a receive that has one its message. */
    void misses(int source, int destination, int tag, int context, boolean isSend) {
        (isSend ? sent : received).distrust(pair(source, destination, tag, context));
    }

    /** A message has been received, and nobody knows which one. */
    void missesAny() {
        received.distrustAll();
    }

    /** A message of the program has arrived. */
    @Nullable
    MessageEnd receives(ThreadCall call, MessageNote note, int own, long now) {
        long pair = pair(note.peer, own, note.tag, note.context);
        int sequence = switch (note.sequence) {
            case Sequences.NOW -> received.next(pair, call.thread, note.earliest, now);
            case Sequences.LATER -> received.next(pair, Sequences.ANYBODY, note.earliest, now);
            default -> note.sequence;
        };
        if (!on) {
            return null;
        }
        call.bytes += note.length;
        return keep(call, note, pair, sequence);
    }

    private @Nullable MessageEnd keep(ThreadCall call, MessageNote note, long pair, int sequence) {
        boolean kept = messages.takes(sequence);
        if (sequence == Sequences.UNKNOWN || (!kept && !trace.isOpen())) {
            return null;
        }
        MessageEnd message = new MessageEnd(note, pair, sequence, trace.communicatorOf(note.context), call.site);
        trace.add(message);
        if (kept) {
            messages.add(message);
        }
        return message;
    }

    // ---- the file

    private boolean isCertain(MessageEnd message) {
        return !(message.sent ? sent : received).isUncertain(message.key);
    }

    RankFile toFile(int rank, int size, int host, int processors, long clock, long begin, long end, boolean finished) {
        if (!on) {
            turn(true, end);
            turn(false, end);
        }
        List<RankFile.Calls> calls = new ArrayList<>();
        List<RankFile.Gap> between = new ArrayList<>();
        for (int site = 0; site < sites.size(); site++) {
            calls.add(new RankFile.Calls(numbers[site], times[site], longest[site], bytes[site]));
            long[] row = gaps[site];
            for (int to = 0; row != null && 2 * to < row.length; to++) {
                if (row[2 * to] > 0) {
                    between.add(new RankFile.Gap(site, to, row[2 * to], row[2 * to + 1]));
                }
            }
        }
        List<RankFile.Peer> sentTo = new ArrayList<>();
        for (int peer = 0; peer < peers.length; peer++) {
            long[] row = peers[peer];
            if (row != null) {
                sentTo.add(new RankFile.Peer(peer, row[0], row[1], row[2], row[3]));
            }
        }
        return new RankFile(
                rank,
                size,
                host,
                ProcessHandle.current().pid(),
                processors,
                clock,
                begin,
                end,
                finished,
                List.copyOf(sites),
                calls,
                between,
                sentTo,
                Arrays.stream(sizes).boxed().toList(),
                slices.toFile(),
                messages.kept().stream()
                        .filter(this::isCertain)
                        .map(each -> new RankFile.Message(
                                Sequences.key(each.key, each.sequence),
                                each.sent,
                                each.peer,
                                each.bytes,
                                each.begun,
                                each.waitBegun,
                                each.waitEnded,
                                each.site))
                        .toList(),
                messages.stride(),
                sent.uncertain() + received.uncertain(),
                collectives.kept().stream()
                        .map(each -> new RankFile.Together(
                                Sequences.key(each.key, each.sequence), each.begun, each.ended, each.site))
                        .toList(),
                collectives.stride(),
                trace.toFile(this::isCertain));
    }
}
