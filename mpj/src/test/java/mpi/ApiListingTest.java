package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the compiled classes with the listings of the interfaces that programs are written for. */
class ApiListingTest {
    private static final String MPJ_EXPRESS = "mpj-express-0.44.txt";
    private static final String MPIJAVA = "mpijava-1.2.5.txt";

    /**
     * What is not as in MPJ Express: nothing but fields that are final here, so that the virtual machine can rely on
     * them; no program assigns a datatype, an operation or a constant.
     */
    private static final Set<String> DIFFERENCES_FROM_MPJ_EXPRESS = Set.of();

    /**
     * What is not as in mpiJava: inner workings that its native library needs; and members that MPJ Express has with
     * another signature, which wins.
     */
    private static final List<String> DIFFERENCES_FROM_MPIJAVA = List.of(
            // inner workings
            "mpi.Cartcomm protected (long)",
            "mpi.Comm protected (long)",
            "mpi.Comm protected static final int SELF",
            "mpi.Comm protected static final int WORLD",
            "mpi.Comm protected static long nullHandle",
            "mpi.Comm protected long handle",
            "mpi.Comm protected mpi.Request Ibsend(java.lang.Object, int, int, mpi.Datatype, int, int, mpi.Request)",
            "mpi.Comm protected mpi.Request Irecv(java.lang.Object, int, int, mpi.Datatype, int, int, mpi.Request)",
            "mpi.Comm protected mpi.Request Irsend(java.lang.Object, int, int, mpi.Datatype, int, int, mpi.Request)",
            "mpi.Comm protected mpi.Request Isend(java.lang.Object, int, int, mpi.Datatype, int, int, mpi.Request)",
            "mpi.Comm protected mpi.Request Issend(java.lang.Object, int, int, mpi.Datatype, int, int, mpi.Request)",
            "mpi.Datatype protected boolean isObject()",
            "mpi.Datatype protected boolean lbSet",
            "mpi.Datatype protected boolean ubSet",
            "mpi.Datatype protected int baseSize",
            "mpi.Datatype protected int baseType",
            "mpi.Datatype protected int lb",
            "mpi.Datatype protected int ub",
            "mpi.Datatype protected int[] displacements",
            "mpi.Datatype protected long handle",
            "mpi.Errhandler protected long handle",
            "mpi.Errhandler protected void GetErrhandler(int)",
            "mpi.Errhandler public (long)",
            "mpi.Graphcomm protected (long)",
            "mpi.Group protected (int)",
            "mpi.Group protected (long)",
            "mpi.Group protected long handle",
            "mpi.Intercomm protected (long)",
            "mpi.Intracomm protected (long)",
            "mpi.Op protected (int)",
            "mpi.Op protected boolean isUser()",
            "mpi.Op protected long handle",
            "mpi.Prequest protected (int, java.lang.Object, int, int, mpi.Datatype, int, int, mpi.Comm)",
            "mpi.Prequest protected (java.lang.Object, int, int, mpi.Datatype, int, int, mpi.Comm)",
            "mpi.Prequest protected static final int MODE_BUFFERED",
            "mpi.Prequest protected static final int MODE_READY",
            "mpi.Prequest protected static final int MODE_STANDARD",
            "mpi.Prequest protected static final int MODE_SYNCHRONOUS",
            "mpi.Request protected *",
            "mpi.Status protected int object_count",
            "mpi.Status protected long handle",
            // MPJ Express's signature wins
            "mpi.Group protected static final int EMPTY",
            "mpi.Comm public int Attr_get(int)",
            "mpi.MPI public static byte[] Buffer_detach()");

    @ParameterizedTest
    @ValueSource(strings = {MPJ_EXPRESS, MPIJAVA})
    void everyMemberOfTheListingIsThere(String listing) {
        Set<String> missing = new TreeSet<>();
        for (Listed listed : read(listing)) {
            if (!listed.isThere(classNamed(listed.type()))) {
                missing.add(listed.type() + " " + listed.member());
            }
        }
        missing.removeIf(each -> isExpected(each, listing));
        assertThat(missing).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {MPJ_EXPRESS, MPIJAVA})
    void everyDifferenceThatIsExpectedIsOne(String listing) {
        List<String> all = new ArrayList<>();
        for (Listed listed : read(listing)) {
            if (!listed.isThere(classNamed(listed.type()))) {
                all.add(listed.type() + " " + listed.member());
            }
        }
        assertThat(differences(listing))
                .allSatisfy(expected -> assertThat(all).as(expected).anyMatch(each -> matches(expected, each)));
    }

    @Test
    void classesStandWhereMpjExpressHasThem() {
        for (String header : headers(MPJ_EXPRESS)) {
            String name = header.replaceAll(".*(?:class|interface) (\\S+).*", "$1");
            Class<?> type = classNamed(name);
            assertThat(Modifier.isPublic(type.getModifiers())).as(header).isEqualTo(header.startsWith("public"));
            assertThat(Modifier.isAbstract(type.getModifiers()))
                    .as(header)
                    .isEqualTo(header.contains("abstract ") || type.isInterface());
            if (header.contains(" extends ")) {
                assertThat(type.getSuperclass().getName())
                        .as(header)
                        .isEqualTo(header.replaceAll(".* extends (\\S+).*", "$1"));
            }
            if (header.contains(" implements ")) {
                assertThat(Arrays.stream(type.getInterfaces()).map(Class::getName))
                        .as(header)
                        .contains(header.replaceAll(".* implements (\\S+).*", "$1"));
            }
        }
    }

    private static Collection<String> differences(String listing) {
        return listing.equals(MPIJAVA) ? DIFFERENCES_FROM_MPIJAVA : DIFFERENCES_FROM_MPJ_EXPRESS;
    }

    private static boolean isExpected(String missing, String listing) {
        return differences(listing).stream().anyMatch(expected -> matches(expected, missing));
    }

    private static boolean matches(String expected, String missing) {
        return expected.endsWith("*")
                ? missing.startsWith(expected.substring(0, expected.length() - 1))
                : missing.equals(expected);
    }

    /** A member of a listing, e.g. {@code public int Size()}; constructors have no name. */
    private record Listed(String type, String member, boolean declaredToThrow) {
        boolean isThere(Class<?> owner) {
            return Arrays.stream(owner.getDeclaredConstructors()).anyMatch(this::describes)
                    || withInherited(owner).anyMatch(this::describes);
        }

        private static Stream<AccessibleObject> withInherited(Class<?> owner) {
            List<AccessibleObject> members = new ArrayList<>();
            for (Class<?> each = owner; each != null && each != Object.class; each = each.getSuperclass()) {
                members.addAll(List.of(each.getDeclaredFields()));
                members.addAll(List.of(each.getDeclaredMethods()));
            }
            if (owner.isInterface()) {
                members.addAll(List.of(owner.getDeclaredMethods()));
            }
            return members.stream();
        }

        private boolean describes(AccessibleObject candidate) {
            String description = describe(candidate);
            if (candidate instanceof Field field && Modifier.isStatic(field.getModifiers())) {
                // final here and not in the listing, the only difference allowed
                description = member.contains(" final ") ? description : description.replace(" final ", " ");
            }
            if (candidate instanceof Method method && !member.contains(" final ")) {
                description =
                        Modifier.isStatic(method.getModifiers()) ? description : description.replace(" final ", " ");
            }
            return description.equals(member)
                    && (!declaredToThrow
                            || (candidate instanceof Executable executable
                                    && List.of(executable.getExceptionTypes()).contains(MPIException.class)));
        }

        private static String describe(AccessibleObject candidate) {
            String modifiers = Modifier.toString(((Member) candidate).getModifiers()
                    & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.ABSTRACT | Modifier.FINAL));
            return switch (candidate) {
                case Constructor<?> constructor -> modifiers + " " + parameters(constructor);
                case Method method ->
                    modifiers + " " + method.getReturnType().getTypeName() + " " + method.getName()
                            + parameters(method);
                case Field field -> modifiers + " " + field.getType().getTypeName() + " " + field.getName();
                default -> throw new AssertionError(candidate);
            };
        }

        private static String parameters(Executable executable) {
            return Arrays.stream(executable.getParameterTypes())
                    .map(Class::getTypeName)
                    .collect(Collectors.joining(", ", "(", ")"));
        }
    }

    private static List<Listed> read(String listing) {
        List<Listed> members = new ArrayList<>();
        String type = "";
        for (String line : lines(listing)) {
            if (line.startsWith("  ")) {
                String member = line.strip().replaceAll(" throws .*", "").replace(";", "");
                member = member.replace(type + "(", "(");
                members.add(new Listed(type, member, line.contains(" throws ")));
            } else if (line.contains("class ") || line.contains("interface ")) {
                type = line.replaceAll(".*(?:class|interface) (\\S+).*", "$1");
            }
        }
        assertThat(members).hasSizeGreaterThan(150);
        return members;
    }

    private static List<String> headers(String listing) {
        return lines(listing).stream()
                .filter(line -> line.endsWith("{") && !line.startsWith(" "))
                .toList();
    }

    private static List<String> lines(String listing) {
        try (InputStream stream = ApiListingTest.class.getResourceAsStream("/contracts/" + listing)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Class<?> classNamed(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException missing) {
            throw new AssertionError("there is no class " + name, missing);
        }
    }
}
