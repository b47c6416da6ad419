package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.device.Device.ANY_SOURCE;
import static org.galerna.device.Device.ANY_TAG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.galerna.device.Device;
import org.galerna.device.Request;
import org.galerna.testkit.Payload;

/**
 * A random test of the matching order. Ranks 1 and up send, rank 0 receives with random wildcards; sender and number of
 * a message are in its bytes. A message must take the oldest receive that matches it, and a receive the oldest message
 * of a sender that it matches. Both are checked for each pair of messages of one sender.
 */
final class Overtaking {
    private static final int LONGEST = 20_000;
    private static final int TAGS = 3;

    private final long seed;
    private final int size;
    private final int messages;
    private final boolean postedFirst;

    Overtaking(long seed, int size, int messages, boolean postedFirst) {
        this.seed = seed;
        this.size = size;
        this.messages = messages;
        this.postedFirst = postedFirst;
    }

    /** A receive, in the order of posting, and the message that it got. */
    private record Match(int source, int tag, int sender, int messageTag, int number) {
        boolean accepts(Match other) {
            return (source == ANY_SOURCE || source == other.sender) && (tag == ANY_TAG || tag == other.messageTag);
        }
    }

    void run(Device device) {
        if (device.rank() == 0) {
            receive(device);
        } else {
            send(device);
        }
    }

    private void send(Device device) {
        Random random = new Random(seed + device.rank());
        List<Request> sends = new ArrayList<>();
        if (postedFirst) {
            Messages.awaitNote(device, 0);
        }
        for (int number = 0; number < messages; number++) {
            int length = 8 + random.nextInt(random.nextInt(8) == 0 ? LONGEST : 200);
            byte[] bytes = Payload.of(Payload.seed(device.rank(), number), length);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, 0, device.rank());
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, 4, number);
            int tag = random.nextInt(TAGS);
            sends.add(
                    random.nextBoolean()
                            ? device.isend(bytes, 0, length, 0, tag, 0)
                            : device.issend(bytes, 0, length, 0, tag, 0));
        }
        sends.forEach(Messages::finish);
    }

    private void receive(Device device) {
        Random random = new Random(seed);
        int total = (size - 1) * messages;
        List<Match> matches = new ArrayList<>();
        List<int[]> criteria = new ArrayList<>();
        List<byte[]> buffers = new ArrayList<>();
        List<Request> pending = new ArrayList<>();
        int[] left = new int[size];
        for (int received = 0; received < total; received++) {
            // a receive from one sender can be served for certain only while fewer receives than that sender's messages
            // are older: they may all have taken its messages, if the other senders are slow
            boolean wild = received > total / 2 || received >= messages;
            int source = wild || random.nextBoolean() ? ANY_SOURCE : 1 + random.nextInt(size - 1);
            int tag = wild || random.nextBoolean() ? ANY_TAG : random.nextInt(TAGS);
            if (source != ANY_SOURCE && ++left[source] > messages / (2 * TAGS)) {
                source = ANY_SOURCE;
            }
            if (tag != ANY_TAG && received > messages / (2 * TAGS)) {
                tag = ANY_TAG;
            }
            byte[] bytes = new byte[LONGEST + 8];
            criteria.add(new int[] {source, tag});
            buffers.add(bytes);
            Request request = device.irecv(bytes, 0, bytes.length, source, tag, 0);
            if (!postedFirst) {
                request.await();
            }
            pending.add(request);
        }
        if (postedFirst) {
            for (int sender = 1; sender < size; sender++) {
                Messages.note(device, sender);
            }
        }
        for (int each = 0; each < total; each++) {
            Request request = pending.get(each);
            request.await();
            matches.add(match(request, criteria.get(each), buffers.get(each)));
            request.release();
        }
        check(matches);
    }

    private static Match match(Request request, int[] criteria, byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        int sender = memory.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
        int number = memory.get(ValueLayout.JAVA_INT_UNALIGNED, 4);
        assertThat(request.source()).isEqualTo(sender);
        byte[] expected = Payload.of(Payload.seed(sender, number), (int) request.length());
        assertThat(memory.asSlice(8, request.length() - 8)
                        .mismatch(MemorySegment.ofArray(expected).asSlice(8)))
                .as("first wrong byte of message %s of rank %s", number, sender)
                .isEqualTo(-1);
        return new Match(criteria[0], criteria[1], sender, request.tag(), number);
    }

    private void check(List<Match> matches) {
        boolean[][] seen = new boolean[size][messages];
        for (Match each : matches) {
            assertThat(seen[each.sender][each.number])
                    .as("%s came before", each)
                    .isFalse();
            seen[each.sender][each.number] = true;
        }
        for (int later = 0; later < matches.size(); later++) {
            Match second = matches.get(later);
            for (int earlier = 0; earlier < later; earlier++) {
                Match first = matches.get(earlier);
                // the earlier receive took a younger message of this sender, though it matches the older one
                boolean wrong = first.sender == second.sender && first.number > second.number && first.accepts(second);
                if (wrong) {
                    throw new AssertionError("seed " + seed + ": " + first + " overtook " + second);
                }
            }
        }
    }
}
