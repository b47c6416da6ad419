package org.galerna.launch.process;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.galerna.launch.rendezvous.FieldWriter;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;

/**
 * Which ranks have left what they had attached to, by its name, so that those that leave together need not tell each other. Not
 * safe for use by several threads.
 */
final class Leavers {
    private final int ranks;
    private final Map<String, BitSet> left = new HashMap<>();
    private final Set<String> over = new HashSet<>(); // names of what all have left
    private final BitSet ended = new BitSet();

    Leavers(int ranks) {
        this.ranks = ranks;
    }

    /** A rank says {@link Kind#LEAVES}; the answers, to one rank or to all. */
    List<Message> hear(Message message) {
        String name = message.text();
        left.computeIfAbsent(name, _ -> new BitSet()).set(message.rank());
        if (over.contains(name) || !isOver(name)) {
            return message.number() == 0 ? List.of() : List.of(whoStays(message.rank(), 1, name));
        }
        return List.of(end(name));
    }

    /** A rank has ended; what is to be said to all because of that. */
    List<Message> end(int rank) {
        ended.set(rank);
        return left.keySet().stream()
                .filter(name -> !over.contains(name) && isOver(name))
                .map(this::end)
                .toList();
    }

    private Message end(String name) {
        over.add(name);
        return whoStays(0, 0, name);
    }

    private boolean isOver(String name) {
        return staying(name).isEmpty();
    }

    private BitSet staying(String name) {
        BitSet staying = new BitSet(ranks);
        staying.set(0, ranks);
        staying.andNot(left.getOrDefault(name, new BitSet()));
        staying.andNot(ended);
        return staying;
    }

    private Message whoStays(int rank, long number, String name) {
        return Message.of(
                Kind.LEFT,
                rank,
                number,
                new FieldWriter().text(name).bytes(staying(name).toByteArray()));
    }
}
