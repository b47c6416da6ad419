package org.galerna.device.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.queue.MatchTable;
import org.galerna.device.matching.queue.MatchTable.Node;
import org.galerna.device.matching.queue.QueueTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MatchTableTest {
    /** More than a good hash ever puts into one bucket of a table that is at most full, at these sizes. */
    private static final int LONGEST_CHAIN = 12;

    private record Key(int context, int source, int tag) {
        long envelope() {
            return Envelope.of(tag, context);
        }
    }

    static Stream<Arguments> patternsOfKeys() {
        return Stream.of(
                Arguments.of("10,000 tags", keys(1, 1, 10_000, 1)),
                Arguments.of("10,000 sources", keys(1, 10_000, 1, 1)),
                Arguments.of("100 sources with 100 tags", keys(1, 100, 100, 1)),
                Arguments.of("1000 sources with 30 tags", keys(1, 1000, 30, 1)),
                Arguments.of("tags in steps of 1024", keys(1, 1, 10_000, 1024)),
                Arguments.of("tags in steps of 65,536", keys(1, 4, 10_000, 65_536)),
                Arguments.of("contexts, sources and tags", keys(20, 20, 20, 1)));
    }

    private static List<Key> keys(int contexts, int sources, int tags, int step) {
        return IntStream.range(0, contexts)
                .boxed()
                .flatMap(context -> IntStream.range(0, sources)
                        .boxed()
                        .flatMap(source ->
                                IntStream.range(0, tags).mapToObj(tag -> new Key(context, source, tag * step))))
                .toList();
    }

    /** What one look costs is the length of a chain, however many keys there are. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("patternsOfKeys")
    void looksAtFewQueuesWhateverTheKeys(String name, List<Key> keys) throws Exception {
        MatchTable<Key> table = new MatchTable<>();
        for (Key key : keys) {
            table.add(new Node<>(key), key.envelope(), key.source);
        }
        assertThat(longestChain(table)).isLessThanOrEqualTo(LONGEST_CHAIN);
        for (Key key : keys) {
            assertThat(table.first(key.envelope(), key.source)).isSameAs(key);
        }
    }

    /** Keys that are used once each must not pile up. */
    @Test
    void forgetsTheKeysOfQueuesThatAreEmpty() throws Exception {
        MatchTable<Integer> table = new MatchTable<>();
        for (int tag = 0; tag < 200_000; tag++) {
            Node<Integer> node = new Node<>(tag);
            table.add(node, Envelope.of(tag, 0), 0);
            assertThat(table.first(Envelope.of(tag, 0), 0)).isEqualTo(tag);
            table.remove(node);
        }
        assertThat(buckets(table).length).isLessThanOrEqualTo(64);
        assertThat(longestChain(table)).isLessThanOrEqualTo(LONGEST_CHAIN);
    }

    @Test
    void behavesLikeAMapOfQueues() {
        long seed = System.nanoTime();
        System.out.println("MatchTableTest: seed " + seed);
        Random random = new Random(seed);
        MatchTable<Integer> table = new MatchTable<>();
        Map<Key, Deque<Node<Integer>>> model = new HashMap<>();
        for (int step = 0; step < 200_000; step++) {
            int spread = step % 20_000 < 10_000 ? 4 : 40;
            Key key = new Key(random.nextInt(2), random.nextInt(spread) - 1, random.nextInt(spread) - 1);
            Deque<Node<Integer>> queue = model.computeIfAbsent(key, unused -> new ArrayDeque<>());
            if (random.nextInt(5) < 2) {
                Node<Integer> node = new Node<>(step);
                table.add(node, key.envelope(), key.source);
                queue.add(node);
                assertThat(node.isQueued()).isTrue();
            } else if (!queue.isEmpty()) {
                Node<Integer> node = random.nextBoolean() ? queue.peekFirst() : queue.peekLast();
                queue.remove(node);
                table.remove(node);
                assertThat(node.isQueued()).isFalse();
            }
            assertThat(table.first(key.envelope(), key.source))
                    .isEqualTo(queue.isEmpty() ? null : queue.peekFirst().element);
        }
        List<Integer> left = new ArrayList<>();
        table.forEach(left::add);
        List<Integer> expected = model.values().stream()
                .flatMap(Deque::stream)
                .map(node -> node.element)
                .toList();
        assertThat(left).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void refusesToRemoveWhatIsNotQueued() {
        MatchTable<Integer> table = new MatchTable<>();
        Node<Integer> node = new Node<>(1);
        assertThatIllegalStateException().isThrownBy(() -> table.remove(node));
        table.add(node, 0, 0);
        table.remove(node);
        assertThatIllegalStateException().isThrownBy(() -> table.remove(node));
    }

    private static int longestChain(MatchTable<?> table) throws ReflectiveOperationException {
        int longest = 0;
        for (Object bucket : buckets(table)) {
            int length = 0;
            for (Object queue = bucket; queue != null; queue = field(QueueTable.Keyed.class, queue, "nextInBucket")) {
                length++;
            }
            longest = Math.max(longest, length);
        }
        return longest;
    }

    private static Object[] buckets(MatchTable<?> table) throws ReflectiveOperationException {
        return (Object[]) field(QueueTable.class, field(MatchTable.class, table, "queues"), "buckets");
    }

    private static Object field(Class<?> declaring, Object object, String name) throws ReflectiveOperationException {
        Field field = declaring.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
}
