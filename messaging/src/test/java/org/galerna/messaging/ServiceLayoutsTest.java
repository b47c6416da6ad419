package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.tools.ToolProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.testkit.Deadline;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of programs whose services have the same names, and other records. */
class ServiceLayoutsTest {
    @TempDir
    Path folder;

    /** A version of a program: its service, and how to call and serve it. */
    private final class Program implements AutoCloseable {
        private final URLClassLoader loader;
        private final Class<?> service;

        Program(String name, String item, String receipt) throws IOException, ClassNotFoundException {
            Path own = Files.createDirectory(folder.resolve(name));
            Path source = own.resolve("Orders.java");
            Files.writeString(source, """
                    package acme;
                    import java.util.List;
                    import java.util.concurrent.CompletableFuture;
                    public interface Orders {
                        record Item(%s) {}
                        record Order(String customer, List<Item> items) {}
                        record Receipt(%s) {}
                        void place(Order order);
                        CompletableFuture<Void> placeLater(Order order);
                        Receipt receipt(String customer);
                        int count();
                    }
                    """.formatted(item, receipt));
            assertThat(ToolProvider.getSystemJavaCompiler()
                            .run(null, null, null, "-d", own.toString(), source.toString()))
                    .isZero();
            loader = new URLClassLoader(new URL[] {own.toUri().toURL()}, null);
            service = loader.loadClass("acme.Orders");
        }

        <S> NodeBuilder serve(NodeBuilder node, Class<S> type) {
            return node.serve(
                    type,
                    type.cast(Proxy.newProxyInstance(
                            loader,
                            new Class<?>[] {type},
                            (_, method, _) -> method.getReturnType() == int.class ? 7 : null)));
        }

        @Nullable
        Object call(Object proxy, String name, @Nullable Object... arguments) throws Throwable {
            for (var each : service.getMethods()) {
                if (each.getName().equals(name)) {
                    try {
                        return each.invoke(proxy, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }
            }
            throw new IllegalArgumentException(name);
        }

        @Override
        public void close() throws IOException {
            loader.close();
        }
    }

    private static void assertIncompatible(ThrowingCallable call, String... text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MessagingException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(Reason.INCOMPATIBLE))
                .hasMessageContainingAll(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void aMethodWhoseRecordsDifferIsRefusedAndNamed(String link) throws Throwable {
        try (Program older = new Program("older", "String name, int count", "long number");
                Program newer = new Program("newer", "String name, long count", "String number");
                LoggedLines logged = new LoggedLines();
                Cluster cluster = new Cluster(link)) {
            cluster.start(2, node -> newer.serve(node, newer.service));
            MessagingNode one = cluster.start(1, node -> node);
            Object orders = one.service(2, older.service, Cluster.PATIENCE);
            // a call before there is a connection is kept meanwhile
            CompletableFuture<?> first = (CompletableFuture<?>) older.call(orders, "placeLater", (Object) null);
            assertThatThrownBy(first::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(MessagingException.class)
                    .hasMessageContaining("acme.Orders.placeLater(Order)");
            assertIncompatible(
                    () -> older.call(orders, "place", (Object) null),
                    "calls of acme.Orders.place(Order) are laid out otherwise at node 2",
                    "component argument 1.items.(element).count (of acme.Orders$Item) is int here, and long there",
                    "new name");
            assertIncompatible(
                    () -> older.call(orders, "receipt", "ann"),
                    "acme.Orders.receipt(String)",
                    "component result.number (of acme.Orders$Receipt) is long here, and java.lang.String there");
            assertThatThrownBy(() -> older.call(orders, "receipt", "ben")).isInstanceOf(MessagingException.class);
            assertThat(older.call(orders, "count")).isEqualTo(7);
            // the node that answers knows from the other one alone what it does not get
            String of = "calls of acme.Orders.receipt(String) are laid out otherwise at node ";
            Deadline.after(Cluster.PATIENCE)
                    .await("both logs", () -> logged.with(of).size() >= 2);
            assertThat(logged.with(of))
                    .hasSize(2)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("node 1: " + of + "2: component result.number")
                            .contains("is long here, and java.lang.String there"))
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("node 2: " + of + "1: component result.number")
                            .contains("is java.lang.String here, and long there", "new name"));
        }
    }

    @Test
    void aRecordThatHasMoreAtItsEndIsCalled() throws Throwable {
        try (Program older = new Program("older", "String name", "long number");
                Program newer = new Program("newer", "String name, int count", "long number, String text");
                Cluster cluster = new Cluster("tcp")) {
            cluster.start(2, node -> newer.serve(node, newer.service));
            MessagingNode one = cluster.start(1, node -> node);
            Object orders = one.service(2, older.service, Cluster.PATIENCE);
            assertThat(older.call(orders, "receipt", "ann")).isNull();
            assertThat(older.call(orders, "place", (Object) null)).isNull();
        }
    }
}
