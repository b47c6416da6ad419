package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.testkit.Deadline;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServicesTest {
    record Row(String key, @Nullable Map<String, Integer> cells) {}

    static class NoSuchRow extends Exception {
        private static final long serialVersionUID = 1L;

        NoSuchRow(String key) {
            super(key);
        }
    }

    interface Store {
        Row get(String key) throws NoSuchRow, IOException;

        void put(Row row);

        Optional<Row> find(String key, boolean strict, int @Nullable [] columns);

        CompletableFuture<List<Row>> all();

        CompletableFuture<Void> clear();

        long size();

        default Row getOrNew(String key) throws IOException {
            try {
                return get(key);
            } catch (NoSuchRow none) {
                return new Row(key, null);
            }
        }
    }

    private static final class Rows implements Store {
        private final Map<String, Row> rows = new ConcurrentHashMap<>();

        @Override
        public Row get(String key) throws NoSuchRow {
            if (key.isEmpty()) {
                throw new IllegalArgumentException("an empty key");
            }
            Row row = rows.get(key);
            if (row == null) {
                throw new NoSuchRow(key);
            }
            return row;
        }

        @Override
        public void put(Row row) {
            rows.put(row.key(), row);
        }

        @Override
        public Optional<Row> find(String key, boolean strict, int @Nullable [] columns) {
            return Optional.ofNullable(rows.get(key));
        }

        @Override
        public CompletableFuture<List<Row>> all() {
            return CompletableFuture.supplyAsync(() -> new ArrayList<>(rows.values()));
        }

        @Override
        public CompletableFuture<Void> clear() {
            return CompletableFuture.failedFuture(new IllegalStateException("not for you"));
        }

        @Override
        public long size() {
            return rows.size();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void methodsAreCalledAtAnotherNode(String link) throws Exception {
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, node -> node);
            cluster.start(2, node -> node.serve(Store.class, new Rows()));
            Store store = one.service(2, Store.class, Cluster.PATIENCE);
            Row row = new Row("a", Map.of("x", 1));
            store.put(row);
            assertThat(store.get("a")).isEqualTo(row);
            assertThat(store.size()).isEqualTo(1);
            assertThat(store.find("a", true, new int[] {1})).contains(row);
            assertThat(store.find("b", false, null)).isEmpty();
            assertThat(store.all().join()).containsExactly(row);
            assertThat(store.getOrNew("c")).isEqualTo(new Row("c", null));
            assertThat(store).hasToString("Store at node 2").isEqualTo(store).isNotEqualTo(null);
        }
    }

    @Test
    void whatAMethodThrowsComesWithItsTrace() {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node);
            cluster.start(2, node -> node.serve(Store.class, new Rows()));
            Store store = one.service(2, Store.class, Cluster.PATIENCE);
            assertThatThrownBy(() -> store.get("none"))
                    .isInstanceOf(NoSuchRow.class)
                    .hasMessage("none")
                    .hasCauseInstanceOf(ServiceException.class);
            assertThatThrownBy(() -> store.get(""))
                    .isInstanceOfSatisfying(ServiceException.class, failed -> {
                        assertThat(failed.reason()).isEqualTo(Reason.REMOTE);
                        assertThat(failed.thrownClass()).isEqualTo("java.lang.IllegalArgumentException");
                        assertThat(failed.getCause().getStackTrace()[0].getMethodName())
                                .isEqualTo("get");
                    })
                    .hasMessageContainingAll("Store.get(String) at node 2", "an empty key");
            assertThatThrownBy(() -> store.clear().join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ServiceException.class)
                    .hasMessageContaining("not for you");
        }
    }

    @Test
    void nodesMayHaveNames() throws Exception {
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode two = cluster.start(2, node -> node.serve(Store.class, new Rows()));
            MessagingNode one = cluster.start(1, node -> node.address(2, "store", two.address()));
            one.service("store", Store.class, Cluster.PATIENCE).put(new Row("a", null));
            assertThat(one.service(2, Store.class).get("a")).isEqualTo(new Row("a", null));
            assertThatThrownBy(() -> one.node("shop")).hasMessageContainingAll("shop", "store");
            assertThatThrownBy(() ->
                            cluster.builder(3).address(1, "same", one.address()).address(2, "same", two.address()))
                    .hasMessageContaining("nodes 1 and 2 have the same name");
        }
    }

    /** Another version of the service. */
    interface Other {
        interface Store {
            Row get(String key, int version);
        }
    }

    @Test
    void aServiceThatIsNotOfferedIsNamed() {
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node);
            cluster.start(2, node -> node.serve(Store.class, new Rows()));
            assertThatThrownBy(() -> one.service(2, Other.Store.class).get("a", 1))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(Reason.NOT_OFFERED))
                    .hasMessageContainingAll("node 2", "Store.get(String, int)");
            assertThatThrownBy(() -> one.service(3, Store.class).size()).hasMessageContaining("node 3");
        }
    }

    interface Bad {
        void run(Runnable work);
    }

    @Test
    void whatCannotBeCalledIsNamedAtOnce() {
        try (Cluster cluster = new Cluster("threads")) {
            assertThatThrownBy(() -> cluster.builder(1).serve(Bad.class, Runnable::run))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("argument 1 of", "Bad.run", "java.lang.Runnable");
            assertThatThrownBy(() -> cluster.builder(1).serve(Rows.class, new Rows()))
                    .hasMessageContaining("is no interface");
            Rows rows = new Rows();
            assertThatThrownBy(() -> cluster.builder(1).serve(Store.class, rows).serve(Store.class, rows))
                    .hasMessageContaining("twice");
        }
    }

    interface Ring {
        int ask(int depth);

        CompletableFuture<Integer> never();
    }

    private static final class Member implements Ring {
        private @Nullable Ring next;

        @Override
        public int ask(int depth) {
            Ring known = next;
            return depth == 0 || known == null ? 0 : 1 + known.ask(depth - 1);
        }

        @Override
        public CompletableFuture<Integer> never() {
            return new CompletableFuture<>();
        }
    }

    @Test
    void servicesCallEachOtherInCircles() {
        try (Cluster cluster = new Cluster("shm")) {
            List<Member> members = List.of(new Member(), new Member(), new Member());
            for (int each = 0; each < 3; each++) {
                Member member = members.get(each);
                MessagingNode node = cluster.start(each, builder -> builder.serve(Ring.class, member));
                member.next = node.service((each + 1) % 3, Ring.class, Cluster.PATIENCE);
            }
            assertThat(members.getFirst().ask(100)).isEqualTo(100);
        }
    }

    @Test
    void aCallKeepsItsTime() {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node);
            cluster.start(2, node -> node.serve(Ring.class, new Member()));
            Ring ring = one.service(2, Ring.class, Duration.ofMillis(100));
            CompletableFuture<Integer> never = ring.never();
            Deadline.after(Cluster.PATIENCE).await("the end of the future", never::isDone);
            assertThat(never.handle((_, failure) -> failure).join())
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(Reason.TIMEOUT))
                    .hasMessageContaining("Ring.never()");
            CompletableFuture<Integer> cancelled = one.service(2, Ring.class).never();
            cancelled.cancel(true);
            assertThat(one.statistics().pendingRequests()).isZero();
        }
    }
}
