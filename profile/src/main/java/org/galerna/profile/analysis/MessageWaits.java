package org.galerna.profile.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.galerna.profile.analysis.Profile.Late;
import org.galerna.profile.file.RankFile;

/**
 * Late senders and late receivers, as Scalasca defines them (Wolf and Mohr, "Automatic performance analysis of hybrid MPI/OpenMP
 * applications", 2003): a receive waits from its call until the send is called; a send that needs its receiver waits from its call
 * until the receive is called. Of a call that waits for several messages the one that comes last counts.
 */
final class MessageWaits {
    /** Shorter waits are the message's own time. */
    private static final long SHORTEST_NANOS = 1_000;

    private MessageWaits() {}

    /** An end of a message, and its rank. */
    private record End(RankFile file, RankFile.Message message) {
        String site() {
            return message.site() < 0 ? "" : file.sites().get(message.site()).words();
        }
    }

    private record Place(Late late, int rank, String site, int other, String otherSite) {}

    /** One call of one rank. */
    private record Call(int rank, long begun, int site) {}

    private record Found(Place place, long nanos) {}

    static List<Profile.Wait> of(List<RankFile> files, Clocks clocks) {
        int stride = files.stream().mapToInt(RankFile::messageStride).max().orElse(1);
        Map<Long, End> sends = new HashMap<>();
        for (RankFile file : files) {
            file.messages().stream()
                    .filter(RankFile.Message::sent)
                    .forEach(message -> sends.put(message.key(), new End(file, message)));
        }
        Map<Call, Found> found = new HashMap<>();
        for (RankFile file : files) {
            for (RankFile.Message message : file.messages()) {
                End send = message.sent() ? null : sends.get(message.key());
                if (send != null) {
                    End receive = new End(file, message);
                    add(found, Late.SENDER, receive, send, clocks);
                    add(found, Late.RECEIVER, send, receive, clocks);
                }
            }
        }
        Map<Place, List<Long>> byPlace = new HashMap<>();
        found.values()
                .forEach(each -> byPlace.computeIfAbsent(each.place, any -> new ArrayList<>())
                        .add(each.nanos));
        return byPlace.entrySet().stream()
                .map(entry -> row(entry.getKey(), entry.getValue(), stride))
                .sorted(Comparator.comparingDouble(Profile.Wait::seconds).reversed())
                .toList();
    }

    private static void add(Map<Call, Found> found, Late late, End waiting, End other, Clocks clocks) {
        RankFile.Message message = waiting.message;
        long begun = clocks.absolute(waiting.file, message.waitBegun());
        long ended = clocks.absolute(waiting.file, message.waitEnded());
        long came = clocks.absolute(other.file, other.message.begun());
        long waited = Math.min(came, ended) - begun;
        if (waited >= SHORTEST_NANOS) {
            Place place = new Place(late, waiting.file.rank(), waiting.site(), other.file.rank(), other.site());
            found.merge(
                    new Call(waiting.file.rank(), message.waitBegun(), message.site()),
                    new Found(place, waited),
                    (one, two) -> one.nanos >= two.nanos ? one : two);
        }
    }

    private static Profile.Wait row(Place place, List<Long> nanos, int stride) {
        return new Profile.Wait(
                place.late,
                place.rank,
                place.site,
                place.other,
                place.otherSite,
                (long) nanos.size() * stride,
                Clocks.seconds(nanos.stream().mapToLong(Long::longValue).sum() * stride),
                Clocks.seconds(nanos.stream().mapToLong(Long::longValue).max().orElse(0)));
    }
}
