package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ThreadCommTest {
    /** What calls another method of the same communicator, and what needs none. */
    private static final Set<String> OF_OTHERS =
            Set.of("Creat", "Errhandler_get", "Attr_put(int,int)", "Reduce_local", "Pack_size");

    /** A method that is forgotten works on a communicator that no rank has. */
    @Test
    void everyMethodIsHandedOn() {
        assertThat(Stream.of(Comm.class, Intracomm.class)
                        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                        .filter(method -> Modifier.isPublic(method.getModifiers())
                                && !Modifier.isStatic(method.getModifiers())
                                && !method.isBridge())
                        .filter(method -> !OF_OTHERS.contains(method.getName())
                                && !OF_OTHERS.contains(method.getName() + signature(method)))
                        .filter(method -> !isOverridden(method)))
                .isEmpty();
    }

    private static String signature(Method method) {
        return "("
                + String.join(
                        ",",
                        Arrays.stream(method.getParameterTypes())
                                .map(Class::getName)
                                .toList())
                + ")";
    }

    private static boolean isOverridden(Method method) {
        return Stream.of(ThreadComm.class, ThreadCollectives.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .anyMatch(own -> own.getName().equals(method.getName())
                        && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
    }
}
