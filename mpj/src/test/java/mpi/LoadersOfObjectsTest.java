package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.galerna.harness.Ranks;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that load themselves through a loader of their own, as plug-in hosts and archives of archives do. */
class LoadersOfObjectsTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void compile() {
        Programs.compile(folder, """
                package plugin;

                import java.util.Arrays;
                import java.util.List;
                import mpi.*;

                public class Plugin {
                    public record Part(int x) implements java.io.Serializable {}

                    static final Intracomm WORLD = MPI.COMM_WORLD;
                    static final int ME = WORLD.Rank();
                    static final int SIZE = WORLD.Size();

                    static void check(Object... received) {
                        for (Object each : received) {
                            if (!(each instanceof Part)) {
                                throw new AssertionError("not this Part: " + each);
                            }
                        }
                    }

                    static Object[] parts(int number) {
                        Object[] parts = new Object[number];
                        Arrays.setAll(parts, index -> new Part(index));
                        return parts;
                    }

                    public static void recv() {
                        if (ME == 0) {
                            WORLD.Send(parts(2), 0, 2, MPI.OBJECT, 1, 0);
                        } else {
                            Object[] into = new Object[2];
                            WORLD.Recv(into, 0, 2, MPI.OBJECT, 0, 0);
                            check(into);
                        }
                    }

                    /** Completed by a thread that knows nothing of this class, in its context nor on its stack. */
                    static void complete(Request request) throws Exception {
                        Thread other = new Thread(request::Wait);
                        other.setContextClassLoader(ClassLoader.getPlatformClassLoader());
                        other.start();
                        other.join();
                    }

                    public static void irecv() throws Exception {
                        if (ME == 0) {
                            WORLD.Send(parts(1), 0, 1, MPI.OBJECT, 1, 0);
                        } else {
                            Object[] into = new Object[1];
                            complete(WORLD.Irecv(into, 0, 1, MPI.OBJECT, 0, 0));
                            check(into);
                        }
                    }

                    public static void persistent() throws Exception {
                        if (ME == 0) {
                            WORLD.Send(parts(1), 0, 1, MPI.OBJECT, 1, 0);
                        } else {
                            Object[] into = new Object[1];
                            Prequest request = WORLD.Recv_init(into, 0, 1, MPI.OBJECT, 0, 0);
                            request.Start();
                            request.Wait();
                            check(into);
                        }
                    }

                    public static void sendrecv() {
                        Object[] into = new Object[1];
                        WORLD.Sendrecv(parts(1), 0, 1, MPI.OBJECT, 1 - ME, 0, into, 0, 1, MPI.OBJECT, 1 - ME, 0);
                        check(into);
                        WORLD.Sendrecv_replace(into, 0, 1, MPI.OBJECT, 1 - ME, 0, 1 - ME, 0);
                        check(into);
                    }

                    public static void collectives() throws Exception {
                        Object[] one = ME == 0 ? parts(1) : new Object[1];
                        WORLD.Bcast(one, 0, 1, MPI.OBJECT, 0);
                        check(one);
                        Object[] all = new Object[SIZE];
                        WORLD.Allgather(one, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT);
                        check(all);
                        Object[] gathered = new Object[SIZE];
                        WORLD.Gather(one, 0, 1, MPI.OBJECT, gathered, 0, 1, MPI.OBJECT, 1);
                        check(ME == 1 ? gathered : one);
                        Object[] mine = new Object[1];
                        WORLD.Scatter(all, 0, 1, MPI.OBJECT, mine, 0, 1, MPI.OBJECT, 0);
                        check(mine);
                        Object[] exchanged = new Object[SIZE];
                        WORLD.Alltoall(all, 0, 1, MPI.OBJECT, exchanged, 0, 1, MPI.OBJECT);
                        check(exchanged);
                        Op sum = new Op(new User_function() {
                            @Override
                            public void Call(Object in, int inOffset, Object inout, int offset, int count, Datatype type) {
                                Part left = (Part) ((Object[]) in)[inOffset];
                                Part right = (Part) ((Object[]) inout)[offset];
                                ((Object[]) inout)[offset] = new Part(left.x() + right.x());
                            }
                        }, true);
                        Object[] reduced = new Object[1];
                        WORLD.Allreduce(new Object[] {new Part(ME + 1)}, 0, reduced, 0, 1, MPI.OBJECT, sum);
                        check(reduced);
                        if (((Part) reduced[0]).x() != 3) {
                            throw new AssertionError(reduced[0]);
                        }
                        Object[] later = ME == 0 ? parts(1) : new Object[1];
                        complete(WORLD.Ibcast(later, 0, 1, MPI.OBJECT, 0));
                        check(later);
                    }

                    public static void packed() throws Exception {
                        byte[] bytes = WORLD.Object_Serialize(parts(1), 0, 1, MPI.OBJECT);
                        Object[] into = new Object[1];
                        WORLD.Object_Deserialize(into, bytes, 0, 1, MPI.OBJECT);
                        check(into);
                        byte[] buffer = new byte[4096];
                        WORLD.Pack(parts(1), 0, 1, MPI.OBJECT, buffer, 0);
                        into[0] = null;
                        WORLD.Unpack(buffer, 0, into, 0, 1, MPI.OBJECT);
                        check(into);
                    }

                    public static void lambda() {
                        if (ME == 0) {
                            int captured = 4;
                            Object[] lambda = {(Runnable & java.io.Serializable) () -> check(new Part(captured))};
                            WORLD.Send(lambda, 0, 1, MPI.OBJECT, 1, 0);
                        } else {
                            Object[] into = new Object[1];
                            WORLD.Recv(into, 0, 1, MPI.OBJECT, 0, 0);
                            ((Runnable) into[0]).run();
                        }
                    }
                }
                """);
    }

    /** Asks its parent last, as loaders of web applications do. */
    private static final class ChildFirst extends URLClassLoader {
        ChildFirst(String place, ClassLoader parent) {
            super(urls(place), parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && name.startsWith("plugin.")) {
                    loaded = findClass(name);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }
    }

    /** Ranks have their own copy of this class: the body of a rank brings the folder along. */
    private static String place() {
        return folder.toUri().toString();
    }

    private static URL[] urls(String place) {
        try {
            return new URL[] {URI.create(place).toURL()};
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void call(ClassLoader loader, String method) throws Exception {
        loader.loadClass("plugin.Plugin").getMethod(method).invoke(null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"recv", "irecv", "persistent", "sendrecv", "collectives", "packed", "lambda"})
    void classesOfTheCallersLoaderArrive(String method) {
        String place = place();
        Ranks.run(2, (rank, size) -> {
            try (URLClassLoader loader = new URLClassLoader(urls(place), LoadersOfObjectsTest.class.getClassLoader())) {
                call(loader, method);
            } catch (IOException unclosable) {
                throw new UncheckedIOException(unclosable);
            }
        });
    }

    @Test
    void aCallerFirstFindsItsOwnCopyOfAClass() {
        String place = place();
        Ranks.run(2, (rank, size) -> {
            try (URLClassLoader parent = new URLClassLoader(urls(place), LoadersOfObjectsTest.class.getClassLoader());
                    ChildFirst child = new ChildFirst(place, parent)) {
                call(child, "recv");
                Thread.currentThread().setContextClassLoader(parent);
                call(child, "collectives");
            }
        });
    }

    @Test
    void classesOfTheContextArriveForLibraries() {
        String place = place();
        Ranks.run(2, (rank, size) -> {
            try (URLClassLoader loader = new URLClassLoader(urls(place), LoadersOfObjectsTest.class.getClassLoader())) {
                Object[] part = {
                    loader.loadClass("plugin.Plugin$Part")
                            .getConstructor(int.class)
                            .newInstance(3)
                };
                Object[] into = new Object[1];
                if (rank == 0) {
                    MPI.COMM_WORLD.Send(part, 0, 1, MPI.OBJECT, 1, 0);
                    MPI.COMM_WORLD.Send(part, 0, 1, MPI.OBJECT, 1, 0);
                } else {
                    assertThatThrownBy(() -> MPI.COMM_WORLD.Recv(into, 0, 1, MPI.OBJECT, 0, 0))
                            .isInstanceOf(MPIException.class)
                            .hasMessageContaining("plugin.Plugin$Part");
                    Thread.currentThread().setContextClassLoader(loader);
                    MPI.COMM_WORLD.Recv(into, 0, 1, MPI.OBJECT, 0, 0);
                    assertThat(into).isEqualTo(part);
                }
            }
        });
    }
}
