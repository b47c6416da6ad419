package org.galerna.mpi.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of the user guide says what the filter of objects does. */
class ObjectFilterPageTest {
    private static final Path PAGE = Path.of("../docs/user-guide.md");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    private static Set<String> namesInRow(String beginning) throws IOException {
        String row = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| " + beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row " + beginning));
        Matcher names = QUOTED.matcher(row.substring(beginning.length()));
        return names.results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    @Test
    void theAcceptedPackagesOfTheJdkAreThoseOfTheTable() throws IOException {
        assertThat(namesInRow("in packages of the JDK")).isEqualTo(PlatformClasses.PLAIN_PACKAGES);
    }

    @Test
    void theAcceptedClassesOfTheJdkAreThoseOfTheTable() throws IOException {
        assertThat(namesInRow("in other packages of the JDK"))
                .isEqualTo(PlatformClasses.PLAIN_CLASSES.stream()
                        .filter(name -> !name.startsWith("sun.") && !name.startsWith("com.sun."))
                        .collect(Collectors.toSet()));
    }

    @Test
    void theRefusedLibrariesAreThoseOfTheTable() throws IOException {
        assertThat(namesInRow("of libraries that are known to run code"))
                .containsExactlyInAnyOrder(SerialFilter.DANGEROUS);
    }

    @Test
    void theRefusedExceptionsAreThoseOfTheTable() throws IOException {
        Set<String> names = namesInRow("an exception, an enum");
        names.remove("Class");
        assertThat(names).isEqualTo(PlatformClasses.REFUSED_EXCEPTIONS);
    }

    /** What starts or ends the published chains, or reads objects that no filter has seen. */
    @Test
    void dangerousClassesOfTheJdkStayRefused() throws ClassNotFoundException {
        for (String name : Set.of(
                "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
                "com.sun.org.apache.xpath.internal.objects.XString",
                "com.sun.rowset.JdbcRowSetImpl",
                "java.rmi.MarshalledObject",
                "java.rmi.server.UnicastRemoteObject",
                "java.security.SignedObject",
                "javax.crypto.SealedObject",
                "javax.management.BadAttributeValueExpException",
                "javax.management.remote.rmi.RMIConnectionImpl_Stub",
                "javax.naming.Reference",
                "javax.swing.event.EventListenerList",
                "javax.swing.undo.UndoManager",
                "java.beans.beancontext.BeanContextSupport",
                "sun.reflect.annotation.AnnotationInvocationHandler")) {
            Class<?> type = Class.forName(name, false, ClassLoader.getPlatformClassLoader());
            assertThat(PlatformClasses.contains(type)).as(name).isTrue();
            assertThat(PlatformClasses.isPlain(type)).as(name).isFalse();
        }
    }
}
