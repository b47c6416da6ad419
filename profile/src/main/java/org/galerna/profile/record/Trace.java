package org.galerna.profile.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.galerna.profile.file.RankFile;

/**
 * The first calls of a rank and their messages, one by one, until there are so many; a job keeps some hundred thousand. Guarded by
 * the recorder.
 */
final class Trace {
    private static final int MOST_CALLS_OF_JOB = 400_000;
    private static final int MOST_CALLS = 50_000;
    private static final int LEAST_CALLS = 1000;
    private static final int MESSAGES_PER_CALL = 2;
    private static final int MOST_COMMUNICATORS = 1024;

    private int mostCalls = MOST_CALLS;
    private boolean full;
    private final List<RankFile.Call> calls = new ArrayList<>();
    private final List<MessageEnd> messages = new ArrayList<>();
    private final Map<RankFile.Communicator, Integer> communicators = new HashMap<>();
    /** The communicator that has these contexts now. */
    private final Map<Integer, Integer> byContexts = new HashMap<>();

    /** So many ranks share what a job keeps. */
    void ranks(int size) {
        mostCalls = Math.clamp(MOST_CALLS_OF_JOB / size, LEAST_CALLS, MOST_CALLS);
    }

    /** Whether more is kept. */
    boolean isOpen() {
        return !full;
    }

    /** Ranks have contexts in common from now on. */
    void communicator(int contexts, int[] members) {
        if (full || communicators.size() == MOST_COMMUNICATORS) {
            byContexts.remove(contexts);
            return;
        }
        RankFile.Communicator one = new RankFile.Communicator(
                contexts, Arrays.stream(members).boxed().toList());
        byContexts.put(contexts, communicators.computeIfAbsent(one, any -> communicators.size()));
    }

    /** Index of the communicator that has these contexts; {@link ThreadCall#NONE} if it is not known. */
    int communicatorOf(int contexts) {
        return byContexts.getOrDefault(contexts, ThreadCall.NONE);
    }

    void add(ThreadCall call, long end) {
        if (!full) {
            int communicator = call.together == 0 ? ThreadCall.NONE : communicatorOf(call.contexts);
            calls.add(new RankFile.Call(
                    call.thread,
                    call.site,
                    call.begin,
                    end,
                    communicator,
                    call.bytes,
                    call.root,
                    call.given,
                    call.gotten));
            full = calls.size() == mostCalls;
        }
    }

    void add(MessageEnd message) {
        if (!full && message.communicator != ThreadCall.NONE) {
            messages.add(message);
            full = messages.size() == MESSAGES_PER_CALL * mostCalls;
        }
    }

    /**
     * All of it, but only those messages.
     *
     * @param wanted the messages whose ends can be told apart
     */
    RankFile.Trace toFile(Predicate<MessageEnd> wanted) {
        RankFile.Communicator[] inOrder = new RankFile.Communicator[communicators.size()];
        communicators.forEach((communicator, index) -> inOrder[index] = communicator);
        return new RankFile.Trace(
                !full,
                List.of(inOrder),
                List.copyOf(calls),
                messages.stream()
                        .filter(wanted)
                        .map(each -> new RankFile.TracedMessage(
                                Sequences.key(each.key, each.sequence),
                                each.sent,
                                each.peer,
                                each.tag,
                                each.communicator,
                                each.bytes,
                                each.thread,
                                each.begun,
                                each.endThread,
                                each.waitBegun,
                                each.waitEnded))
                        .toList());
    }
}
