package org.galerna.profile.otf2;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.galerna.profile.file.RankFile;

/** The messages of which both ends are in a trace: readers take one end alone for a mistake. */
final class MatchedMessages {
    private MatchedMessages() {}

    static Set<Long> of(List<RankFile> files) {
        Set<Long> sent = new HashSet<>();
        Set<Long> received = new HashSet<>();
        for (RankFile file : files) {
            Map<Integer, Long> lasts = lasts(file);
            for (RankFile.TracedMessage message : file.trace().messages()) {
                if (isIn(file, lasts, message)) {
                    (message.sent() ? sent : received).add(message.key());
                }
            }
        }
        sent.retainAll(received);
        return sent;
    }

    /** When the last call of each thread ended. */
    private static Map<Integer, Long> lasts(RankFile file) {
        Map<Integer, Long> lasts = new HashMap<>();
        file.trace().calls().forEach(call -> lasts.merge(call.thread(), call.ended(), Math::max));
        return lasts;
    }

    /** Whether the calls of this end are all in the trace, if it was in calls. */
    private static boolean isIn(RankFile file, Map<Integer, Long> lasts, RankFile.TracedMessage message) {
        return file.trace().whole()
                || (message.begun() <= lasts.getOrDefault(message.thread(), Long.MIN_VALUE)
                        && message.waitEnded() <= lasts.getOrDefault(message.endThread(), Long.MIN_VALUE));
    }
}
