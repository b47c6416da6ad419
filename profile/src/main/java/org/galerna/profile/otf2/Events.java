package org.galerna.profile.otf2;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.galerna.profile.analysis.Clocks;
import org.galerna.profile.analysis.Tracks;
import org.galerna.profile.file.CollectiveVolume;
import org.galerna.profile.file.RankFile;
import org.galerna.profile.file.Site;
import org.jspecify.annotations.Nullable;

/** Writes the events of one rank: calls, and in them the ends of messages of which both ends are in the trace. */
final class Events {
    private static final int ENTER = 0x0c;
    private static final int LEAVE = 0x0d;
    private static final int SEND = 0x0e;
    private static final int ISEND = 0x0f;
    private static final int ISEND_COMPLETE = 0x10;
    private static final int IRECEIVE_REQUEST = 0x11;
    private static final int RECEIVE = 0x12;
    private static final int IRECEIVE = 0x13;
    private static final int COLLECTIVE_BEGIN = 0x16;
    private static final int COLLECTIVE_END = 0x17;

    private final RankFile rank;
    private final Tracks tracks;
    private final Clocks clocks;
    private final Regions regions;
    private final Communicators communicators;
    private final List<List<Step>> byTrack = new ArrayList<>();
    private final Fields fields = new Fields();
    private long requests;

    /** A call of a thread, or a moment outside of calls; and the ends of messages at its begin and its end. */
    private static final class Step {
        final long begun;
        final long ended;
        final RankFile.@Nullable Call call;
        final List<End> first = new ArrayList<>();
        final List<End> last = new ArrayList<>();

        Step(long begun, long ended, RankFile.@Nullable Call call) {
            this.begun = begun;
            this.ended = ended;
            this.call = call;
        }
    }

    private record End(int type, RankFile.TracedMessage message, long request) {}

    private record Moment(int thread, long begun) {}

    Events(
            RankFile rank,
            Tracks tracks,
            Clocks clocks,
            Regions regions,
            Communicators communicators,
            Set<Long> matched) {
        this.rank = rank;
        this.tracks = tracks;
        this.clocks = clocks;
        this.regions = regions;
        this.communicators = communicators;
        for (int track = 0; track < tracks.number(); track++) {
            byTrack.add(new ArrayList<>());
        }
        Map<Moment, Step> steps = new HashMap<>();
        for (RankFile.Call call : rank.trace().calls()) {
            Step step = new Step(call.begun(), call.ended(), call);
            steps.put(new Moment(call.thread(), call.begun()), step);
            byTrack.get(tracks.of(call.thread())).add(step);
        }
        for (RankFile.TracedMessage message : rank.trace().messages()) {
            if (matched.contains(message.key())) {
                add(message, steps);
            }
        }
        byTrack.forEach(each -> each.sort(Comparator.comparingLong((Step step) -> step.begun)));
    }

    private void add(RankFile.TracedMessage message, Map<Moment, Step> steps) {
        Step begin = step(message.thread(), message.begun(), steps);
        boolean apart = message.thread() == message.endThread() && message.waitBegun() > message.begun();
        if (!apart) {
            if (message.sent()) {
                begin.first.add(new End(SEND, message, 0));
            } else {
                step(message.endThread(), message.waitBegun(), steps).last.add(new End(RECEIVE, message, 0));
            }
            return;
        }
        Step end = step(message.endThread(), message.waitBegun(), steps);
        long request = requests++;
        begin.first.add(new End(message.sent() ? ISEND : IRECEIVE_REQUEST, message, request));
        end.last.add(new End(message.sent() ? ISEND_COMPLETE : IRECEIVE, message, request));
    }

    private Step step(int thread, long begun, Map<Moment, Step> steps) {
        return steps.computeIfAbsent(new Moment(thread, begun), any -> {
            Step outside = new Step(begun, begun, null);
            byTrack.get(tracks.of(thread)).add(outside);
            return outside;
        });
    }

    /** Writes those of one track. */
    void write(int track, RecordFile file) throws IOException {
        List<Step> steps = byTrack.get(track);
        if (steps.isEmpty() && track > 0) {
            return;
        }
        long begin = track == 0 ? rank.begin() : steps.getFirst().begun;
        long end = track == 0 && rank.trace().whole()
                ? rank.end()
                : steps.stream().mapToLong(step -> step.ended).max().orElse(begin);
        file.addBare(at(begin), ENTER, fields.clear().number(Regions.PROGRAM));
        for (Step step : steps) {
            write(step, file);
        }
        file.addBare(at(end), LEAVE, fields.clear().number(Regions.PROGRAM));
    }

    private void write(Step step, RecordFile file) throws IOException {
        RankFile.Call call = step.call;
        long begun = at(step.begun);
        long ended = at(step.ended);
        Site site = call == null ? null : rank.sites().get(call.site());
        if (site != null) {
            file.addBare(begun, ENTER, fields.clear().number(regions.of(site)));
        }
        boolean together = call != null && site != null && call.communicator() >= 0;
        if (together) {
            file.add(begun, COLLECTIVE_BEGIN, fields.clear());
        }
        for (End each : step.first) {
            write(begun, each, file);
        }
        for (End each : step.last) {
            write(ended, each, file);
        }
        if (call != null && site != null && together) {
            RankFile.Communicator communicator = rank.trace().communicators().get(call.communicator());
            CollectiveVolume volume = CollectiveVolume.of(
                    site.call(),
                    communicator.members().size(),
                    communicator.members().indexOf(rank.rank()) == call.root(),
                    call.given(),
                    call.gotten());
            file.add(
                    ended,
                    COLLECTIVE_END,
                    fields.clear()
                            .raw(Regions.operationOf(site))
                            .number(communicators.idOf(communicator, rank))
                            .number(call.root()) // -1 is undefined
                            .number(volume.given())
                            .number(volume.gotten()));
        }
        if (site != null) {
            file.addBare(ended, LEAVE, fields.clear().number(regions.of(site)));
        }
    }

    private void write(long at, End end, RecordFile file) throws IOException {
        if (end.type == ISEND_COMPLETE || end.type == IRECEIVE_REQUEST) {
            file.addBare(at, end.type, fields.clear().number(end.request));
            return;
        }
        RankFile.TracedMessage message = end.message;
        RankFile.Communicator communicator = rank.trace().communicators().get(message.communicator());
        fields.clear()
                .number(communicator.members().indexOf(message.peer()))
                .number(communicators.idOf(communicator, rank))
                .number(message.tag())
                .number(message.bytes());
        if (end.type == ISEND || end.type == IRECEIVE) {
            fields.number(end.request);
        }
        file.add(at, end.type, fields);
    }

    private long at(long nanos) {
        return clocks.sinceBegin(rank, nanos);
    }
}
