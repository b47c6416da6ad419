package org.galerna.messaging.connection;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which connections have to go when there are more than there may be. */
public final class ConnectionLimit {
    /** A connection that is busy and was not used for so long waits for a receiver: others go before it. */
    private static final long PATIENCE_MILLIS = 1000;

    private ConnectionLimit() {}

    /**
     * Those that were used least recently, so many that no more than the limit stay.
     *
     * @param newest stays in any case; null if there is none
     * @param now by the coarse clock
     */
    public static List<Connection> exceeding(
            Connection[] connections, int limit, @Nullable Connection newest, long now) {
        List<Connection> stay = Arrays.stream(connections)
                .filter(each -> !each.isLeaving() && !each.isLost())
                .toList();
        return stay.stream()
                .filter(each -> each != newest)
                .filter(each -> now - each.lastUsed() < PATIENCE_MILLIS || !each.isBusy())
                .sorted(Comparator.comparingLong(Connection::lastUsed))
                .limit(Math.max(0, stay.size() - limit))
                .toList();
    }
}
