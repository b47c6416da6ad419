package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import javax.management.BadAttributeValueExpException;
import javax.swing.event.EventListenerList;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObjectMessagesTest {
    @AfterEach
    void forgetOptions() {
        for (String name : List.copyOf(System.getProperties().stringPropertyNames())) {
            if (name.startsWith("galerna.serial.")) {
                System.clearProperty(name);
            }
        }
    }

    /** A class of the program: each rank has its own. */
    static final class Point implements Serializable {
        private static final long serialVersionUID = 1L;

        final int x;
        final Serializable more;

        Point(int x, Serializable more) {
            this.x = x;
            this.more = more;
        }
    }

    @Test
    void anEmptyMessageMatchesAReceiveOfAnyDatatype() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Object[] buffers = {new int[1], new Object[1], new boolean[1], new byte[1]};
            Datatype[] types = {MPI.INT, MPI.OBJECT, MPI.BOOLEAN, MPI.PACKED};
            MPI.Buffer_attach(new byte[100_000]);
            for (int sent = 0; sent < types.length; sent++) {
                for (int wanted = 0; wanted < types.length; wanted++) {
                    for (int count = 0; count < 2; count++) {
                        if (rank == 0) {
                            world.Send(buffers[sent], 0, 0, types[sent], 1, 0);
                            world.Isend(buffers[sent], 0, 0, types[sent], 1, 1).Wait();
                            world.Bsend(buffers[sent], 0, 0, types[sent], 1, 2);
                            world.Ssend(buffers[sent], 0, 0, types[sent], 1, 3);
                        } else {
                            Status status = world.Recv(buffers[wanted], 0, count, types[wanted], 0, 0);
                            assertThat(status.Get_count(types[wanted])).isZero();
                            status = world.Irecv(buffers[wanted], 0, count, types[wanted], MPI.ANY_SOURCE, 1)
                                    .Wait();
                            assertThat(status.Get_count(types[wanted])).isZero();
                            assertThat(world.Probe(0, 2).Get_count(types[wanted]))
                                    .isZero();
                            world.Recv(buffers[wanted], 0, count, types[wanted], 0, 2);
                            world.Recv(buffers[wanted], 0, count, types[wanted], 0, 3);
                        }
                    }
                }
            }
            MPI.Buffer_detach();
        });
    }

    @Test
    void aSendOfObjectsUpToTheEagerLimitDoesNotWaitForItsReceive() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Object[] objects = {new byte[8000]};
            int other = 1 - rank;
            world.Send(objects, 0, 1, MPI.OBJECT, other, 0);
            Object[] received = new Object[1];
            world.Recv(received, 0, 1, MPI.OBJECT, other, 0);
            assertThat((byte[]) received[0]).hasSize(8000);
        });
    }

    @Test
    void objectsOfTheProgramArriveAsTheReceiversClasses() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 0) {
                Object[] objects = {
                    null,
                    new Point(3, new ArrayList<>(List.of(1, 2))),
                    new HashMap<>(Map.of("a", new Point(4, null))),
                    new double[2][3]
                };
                world.Send(objects, 1, 3, MPI.OBJECT, 1, 0);
                world.Send(new double[][] {{1, 2}, {3}}, 0, 2, MPI.OBJECT, 1, 1);
            } else {
                Object[] objects = new Object[5];
                Status status = world.Recv(objects, 2, 3, MPI.OBJECT, 0, 0);
                assertThat(status.Get_count(MPI.OBJECT)).isEqualTo(3);
                assertThat(status.Get_count(MPI.BYTE)).isEqualTo(MPI.UNDEFINED);
                assertThat(((Point) objects[2]).x).isEqualTo(3);
                assertThat(((Point) objects[2]).more).isEqualTo(List.of(1, 2));
                assertThat(((Point) ((Map<?, ?>) objects[3]).get("a")).x).isEqualTo(4);
                assertThat(((double[][]) objects[4])[1]).hasSize(3);
                double[][] rows = new double[2][];
                world.Recv(rows, 0, 2, MPI.OBJECT, 0, 1);
                assertThat(rows).isDeepEqualTo(new double[][] {{1, 2}, {3}});
            }
        });
    }

    @Test
    void threadsOfARankReceiveLargeObjectsAtOnce() {
        Ranks.run(2, (rank, size) -> {
            int threads = 4;
            int rounds = 50;
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int which = i;
                all.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (int round = 0; round < rounds; round++) {
                            if (rank == 0) {
                                Object[] object = {
                                    String.valueOf((char) ('a' + which)).repeat(20_000)
                                };
                                MPI.COMM_WORLD.Send(object, 0, 1, MPI.OBJECT, 1, 0);
                            } else {
                                Object[] object = new Object[1];
                                MPI.COMM_WORLD.Recv(object, 0, 1, MPI.OBJECT, 0, 0);
                                String text = (String) object[0];
                                assertThat(text).isEqualTo(text.substring(0, 1).repeat(20_000));
                            }
                        }
                    } catch (Throwable failure) {
                        failures.add(failure);
                    }
                }));
            }
            for (Thread thread : all) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        });
    }

    private static void refused(Object object, String... parts) {
        Intracomm world = MPI.COMM_WORLD;
        Object[] target = {"untouched"};
        if (world.Rank() == 0) {
            world.Send(new Object[] {object}, 0, 1, MPI.OBJECT, 1, 0);
            world.Send(new Object[] {"next"}, 0, 1, MPI.OBJECT, 1, 0);
        } else {
            assertThatThrownBy(() -> world.Recv(target, 0, 1, MPI.OBJECT, 0, 0))
                    .isInstanceOf(MPIException.class)
                    .hasMessageContainingAll(parts);
            assertThat(target[0]).isEqualTo("untouched");
            world.Recv(target, 0, 1, MPI.OBJECT, 0, 0);
            assertThat(target[0]).isEqualTo("next");
        }
    }

    @Test
    @Fault(9)
    void patternsAreAddedToTheDefault() {
        System.setProperty(
                "galerna.serial.filter", "javax.management.BadAttributeValueExpException;!java.util.ArrayList");
        Ranks.run(2, (rank, size) -> {
            refused(new ArrayList<>(List.of(1)), "java.util.ArrayList", "galerna.serial.filter", "patterns");
            Object[] allowed = {new Point(rank, null), new HashSet<>(List.of(1)), new BadAttributeValueExpException("x")
            };
            MPI.COMM_WORLD.Bcast(allowed, 0, 3, MPI.OBJECT, 0);
            assertThat(((Point) allowed[0]).x).isZero();
            assertThat(allowed[1]).isEqualTo(Set.of(1));
            assertThat(allowed[2]).isInstanceOf(BadAttributeValueExpException.class);
        });
    }

    @Test
    @Fault(9)
    void patternsCanLeaveNothingToTheDefault() {
        System.setProperty("galerna.serial.filter", "mpi.ObjectMessagesTest$*;!java.util.ArrayList;java.util.*;!*");
        Ranks.run(2, (rank, size) -> {
            refused(new ArrayList<>(List.of(1)), "java.util.ArrayList", "galerna.serial.filter", "patterns");
            refused(new BigDecimal(1), "java.math.BigDecimal", "galerna.serial.filter", "patterns");
            Object[] allowed = {new Point(rank, null), new HashSet<>()};
            MPI.COMM_WORLD.Bcast(allowed, 0, 2, MPI.OBJECT, 0);
            assertThat(((Point) allowed[0]).x).isZero();
        });
    }

    private static Object proxy(int answer) {
        return Proxy.newProxyInstance(
                ObjectMessagesTest.class.getClassLoader(),
                new Class<?>[] {IntSupplier.class, Hidden.class},
                (InvocationHandler & Serializable) (proxy, method, arguments) -> answer);
    }

    /** An interface that only this package sees. */
    interface Hidden {}

    @Test
    @Fault(9)
    void classesThatCouldRunCodeAreRefusedByDefault() {
        Ranks.run(2, (rank, size) -> {
            refused(proxy(7), "dynamic proxies", "java.lang.reflect.Proxy", "galerna.serial.filter");
            refused(new BadAttributeValueExpException("x"), "BadAttributeValueExpException", "JDK");
            refused(new EventListenerList(), "javax.swing.event.EventListenerList", "JDK");
        });
    }

    @Test
    @Fault(9)
    void proxiesAreAcceptedWhereThePatternsNameThem() {
        System.setProperty("galerna.serial.filter", "java.lang.reflect.Proxy");
        Ranks.run(2, (rank, size) -> {
            Object[] object = {proxy(7 + rank)};
            MPI.COMM_WORLD.Bcast(object, 0, 1, MPI.OBJECT, 0);
            assertThat(((IntSupplier) object[0]).getAsInt()).isEqualTo(7);
            assertThat(object[0]).isInstanceOf(Hidden.class);
        });
    }

    @Test
    @Fault(9)
    void lambdasOfTheProgramArrive() {
        Ranks.run(2, (rank, size) -> {
            int captured = 5;
            IntUnaryOperator plus = (IntUnaryOperator & Serializable) value -> value + captured;
            Object[] objects = {
                (IntUnaryOperator & Serializable) value -> plus.applyAsInt(value) * 2,
                (Function<String, Integer> & Serializable) String::length,
                Comparator.comparing((Function<Point, Integer> & Serializable) point -> point.x)
                        .reversed(),
                Map.Entry.<String, Integer>comparingByKey()
            };
            if (rank == 0) {
                MPI.COMM_WORLD.Send(objects, 0, objects.length, MPI.OBJECT, 1, 0);
            } else {
                Object[] received = new Object[objects.length];
                MPI.COMM_WORLD.Recv(received, 0, received.length, MPI.OBJECT, 0, 0);
                assertThat(((IntUnaryOperator) received[0]).applyAsInt(1)).isEqualTo(12);
                @SuppressWarnings("unchecked")
                Function<String, Integer> length = (Function<String, Integer>) received[1];
                assertThat(length.apply("four")).isEqualTo(4);
                @SuppressWarnings("unchecked")
                Comparator<Point> order = (Comparator<Point>) received[2];
                assertThat(order.compare(new Point(1, null), new Point(2, null)))
                        .isPositive();
            }
        });
    }

    @Test
    @Fault(9)
    void nestingArraysAndBytesAreLimited() {
        Ranks.run(2, (rank, size) -> {
            Point chain = null;
            for (int depth = 0; depth < 1200; depth++) {
                chain = new Point(depth, chain);
            }
            refused(chain, "depth", "galerna.serial.depth", "1000");
        });
        System.setProperty("galerna.serial.array", "100");
        System.setProperty("galerna.serial.references", "200");
        Ranks.run(2, (rank, size) -> {
            refused(new int[101], "array of 101", "galerna.serial.array");
            Object[] many = new Object[99];
            Arrays.setAll(many, i -> new Object[] {new int[1], new int[2]});
            refused(many, "galerna.serial.references");
        });
        System.clearProperty("galerna.serial.array");
        System.clearProperty("galerna.serial.references");
        System.setProperty("galerna.serial.bytes", "10000");
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 0) {
                world.Send(new Object[] {new byte[20_000]}, 0, 1, MPI.OBJECT, 1, 0);
                world.Recv(new Object[1], 0, 1, MPI.OBJECT, 1, 0);
            } else {
                assertThatThrownBy(() -> world.Recv(new Object[1], 0, 1, MPI.OBJECT, 0, 0))
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("galerna.serial.bytes");
                world.Send(new Object[1], 0, 1, MPI.OBJECT, 0, 0);
            }
        });
    }

    @Test
    @Fault(9)
    void aLengthAloneAllocatesNothing() {
        Ranks.run(1, (rank, size) -> {
            byte[] honest = MPI.COMM_WORLD.Object_Serialize(new Object[] {new int[1000]}, 0, 1, MPI.OBJECT);
            byte[] lie = honest.clone();
            int position = indexOf(lie, new byte[] {0, 0, 3, (byte) 0xe8});
            lie[position] = 0x0f; // 251,659,240 elements
            assertThatThrownBy(() -> MPI.COMM_WORLD.Object_Deserialize(new Object[1], lie, 0, 1, MPI.OBJECT))
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("251659240 elements cannot be in a message of");
            Object[] back = new Object[1];
            MPI.COMM_WORLD.Object_Deserialize(back, honest, 0, 1, MPI.OBJECT);
            assertThat((int[]) back[0]).hasSize(1000);
        });
    }

    private static int indexOf(byte[] bytes, byte[] wanted) {
        for (int i = 0; i <= bytes.length - wanted.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        throw new AssertionError("not there");
    }

    @Test
    @Fault(9)
    void damagedMessagesAreRefused() {
        long seed = new Random().nextLong();
        Ranks.run(1, (rank, size) -> {
            Random random = new Random(seed);
            Object[] objects = {"text", List.of(1, 2, 3), new Point(3, new int[5])};
            byte[] good = MPI.COMM_WORLD.Object_Serialize(objects, 0, 3, MPI.OBJECT);
            for (int length = 0; length < good.length; length++) {
                byte[] cut = Arrays.copyOf(good, length);
                assertThatThrownBy(() -> MPI.COMM_WORLD.Object_Deserialize(new Object[3], cut, 0, 3, MPI.OBJECT))
                        .as("first " + length + " bytes")
                        .isInstanceOf(MPIException.class);
            }
            for (int round = 0; round < 2000; round++) {
                byte[] damaged = good.clone();
                for (int i = 0; i < 3; i++) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
                try {
                    MPI.COMM_WORLD.Object_Deserialize(new Object[3], damaged, 0, 3, MPI.OBJECT);
                } catch (MPIException refused) {
                    assertThat(refused).as("seed " + seed + ", round " + round).hasMessageNotContaining("OutOfMemory");
                }
            }
        });
    }

    @Test
    void moreObjectsThanThereIsRoomForAreAnError() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 0) {
                world.Send(new Object[] {"a", "b", "c"}, 0, 3, MPI.OBJECT, 1, 0);
                world.Send(new Object[] {"a"}, 0, 1, MPI.OBJECT, 1, 1);
                world.Send(new int[] {1, 2, 3, 4, 5, 6}, 0, 6, MPI.INT, 1, 2);
            } else {
                Object[] target = new Object[3];
                assertThatThrownBy(() -> world.Recv(target, 0, 2, MPI.OBJECT, 0, 0))
                        .isInstanceOfSatisfying(
                                MPIException.class,
                                e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.TRUNCATE));
                assertThat(target).containsExactly("a", "b", null);
                assertThatThrownBy(() -> world.Recv(new Integer[1], 0, 1, MPI.OBJECT, 0, 1))
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("java.lang.Integer[]");
                assertThatThrownBy(() -> world.Recv(target, 0, 1, MPI.OBJECT, 0, 2))
                        .isInstanceOfSatisfying(
                                MPIException.class,
                                e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.TYPE))
                        .hasMessageContaining("sent as another datatype");
            }
        });
    }

    @Test
    void anObjectThatCannotBeSerializedIsNamed() {
        Ranks.run(
                1,
                (rank, size) -> assertThatThrownBy(
                                () -> MPI.COMM_WORLD.Send(new Object[] {"a", new Object()}, 0, 2, MPI.OBJECT, 0, 0))
                        .isInstanceOfSatisfying(
                                MPIException.class,
                                e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.TYPE))
                        .hasMessageContaining("index 1")
                        .hasMessageContaining("java.lang.Object"));
    }

    @Test
    @Fault(8)
    void malformedOptionsAreNamed() {
        System.setProperty("galerna.serial.depth", "deep");
        Ranks.runBare(
                1,
                (rank, size) -> assertThatThrownBy(() -> MPI.Init(new String[0]))
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("galerna.serial.depth")
                        .hasMessageContaining("deep"));
    }
}
