package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ThreadCommTest {
    /** What the communicator says that stands for others. */
    private static final String OF_NO_RANK = "this stands for the communicator";

    /** Calls another method of the same communicator. */
    private static final String BY_ANOTHER_NAME = "Errhandler_get";

    /** A method that is forgotten works on a communicator that no rank has, and says so. */
    @TestFactory
    Stream<DynamicTest> everyMethodIsHandedOn() {
        ThreadComm comm = new ThreadComm(Environment.of(ThreadCommTest.class), Environment::world);
        return Stream.of(Comm.class, Intracomm.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && !method.isBridge())
                .map(method -> DynamicTest.dynamicTest(
                        method.getName() + Arrays.toString(method.getParameterTypes()),
                        () -> assertIsHandedOn(method, comm)));
    }

    private static void assertIsHandedOn(Method method, ThreadComm comm) throws IllegalAccessException {
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(ThreadCommTest::anyValue)
                .toArray();
        try {
            method.invoke(comm, arguments);
            assertThat(isOverridden(method) || method.getName().equals(BY_ANOTHER_NAME))
                    .isTrue();
        } catch (InvocationTargetException failed) {
            assertThat(String.valueOf(failed.getCause().getMessage())).doesNotContain(OF_NO_RANK);
        }
    }

    private static boolean isOverridden(Method method) {
        return Arrays.stream(ThreadComm.class.getDeclaredMethods())
                .anyMatch(own -> own.getName().equals(method.getName())
                        && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
    }

    private static @Nullable Object anyValue(Class<?> type) {
        return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }
}
