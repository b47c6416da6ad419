package org.galerna.profile.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.galerna.mpi.session.Session;
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
        settle(call, own);
        int site = call.site;
        long time = end - call.begin;
        numbers[site]++;
        times[site] += time;
        longest[site] = Math.max(longest[site], time);
        bytes[site] += call.bytes;
        slices.add(kinds[site], call.begin, end);
        if (call.lastSite != ThreadCall.NONE) {
            gap(call.lastSite, site, call.begin - call.lastEnd);
        }
        trace.add(call, end);
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
            if (collectives.takes(sequence)) {
                collectives.add(new CallTogether(call.together, sequence, call.begin, end, site));
            }
        }
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

    /** Takes over what a call has noted. */
    void settle(ThreadCall call, int own) {
        for (int i = 0; i < call.noted; i++) {
            MessageNote note = call.notes[i];
            MessageEnd end = note.sent ? sends(call, note, own) : receives(call, note, own);
            if (end != null) {
                call.ends(end);
            }
        }
        call.noted = 0;
    }

    /** A message leaves; the end to be told of, or null if this one is not kept. */
    @Nullable
    MessageEnd sends(ThreadCall call, MessageNote note, int own) {
        int part = note.context % Session.CONTEXTS_PER_COMMUNICATOR;
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
        call.bytes += length;
        if (part != Session.MESSAGES) {
            return null;
        }
        sizes[Long.SIZE - Long.numberOfLeadingZeros(length)]++;
        long pair = pair(own, note.peer, note.tag, note.context);
        return keep(call, note, pair, sent.next(pair));
    }

    private static long pair(int source, int destination, int tag, int context) {
        return Sequences.key((long) source << Integer.SIZE | destination, (long) tag << Integer.SIZE | context);
    }

    /** A receive is posted whose sender and tag are known: the number of its message. */
    int posts(int own, int source, int tag, int context) {
        return received.next(pair(source, own, tag, context));
    }

    /** A message of the program has arrived. */
    @Nullable
    MessageEnd receives(ThreadCall call, MessageNote note, int own) {
        call.bytes += note.length;
        long pair = pair(note.peer, own, note.tag, note.context);
        return keep(call, note, pair, note.sequence == Sequences.LATER ? received.next(pair) : note.sequence);
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

    RankFile toFile(int rank, int size, int host, int processors, long clock, long begin, long end, boolean finished) {
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
                collectives.kept().stream()
                        .map(each -> new RankFile.Together(
                                Sequences.key(each.key, each.sequence), each.begun, each.ended, each.site))
                        .toList(),
                collectives.stride(),
                trace.toFile());
    }
}
