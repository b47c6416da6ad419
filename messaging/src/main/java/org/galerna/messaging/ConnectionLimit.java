package org.galerna.messaging;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Which connections have to go when there are more than there may be. */
final class ConnectionLimit {
    private ConnectionLimit() {}

    /**
     * Those that were used least recently, so many that no more than the limit stay.
     *
     * @param newest stays in any case
     */
    static List<Connection> exceeding(Connection[] connections, int limit, Connection newest) {
        List<Connection> stay = Arrays.stream(connections)
                .filter(each -> !each.isLeaving() && !each.isLost())
                .toList();
        return stay.stream()
                .filter(each -> each != newest)
                .sorted(Comparator.comparingLong(Connection::lastUsed))
                .limit(Math.max(0, stay.size() - limit))
                .toList();
    }
}
