package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Methods of the libraries that neither the code nor a test calls. */
class UnusedTest {
    /** What users call, and what programs call whose classes are rewritten. */
    private static final Set<String> FOR_OTHERS = Set.of(
            "org.galerna.launch", "org.galerna.messaging", "org.galerna.sockets", "mpi", "mpjbuf", "mpjdev", "xdev");

    /** Those that the virtual machine or code that is made as it runs calls. */
    private static final Set<String> BY_NAME = Set.of("main", "premain", "agentmain", "values", "valueOf");

    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern STRING = Pattern.compile("\"(\\w+)\"");

    @Test
    void everyMethodIsCalled() {
        Set<String> words = words(SourceFiles.of("test"), WORD, 0);
        SourceFiles.of("main").stream()
                .filter(file ->
                        Stream.of("testkit", "stress", "microbench", "examples").anyMatch(file::startsWith))
                .forEach(file -> words.addAll(words(List.of(file), WORD, 0)));
        words.addAll(words(SourceFiles.of("main"), STRING, 1)); // found by name
        assertThat(GalernaClasses.ALL.stream()
                        .filter(type -> type.getPackageName().startsWith("org.galerna."))
                        .filter(type -> !FOR_OTHERS.contains(type.getPackageName()))
                        .filter(type -> !type.isRecord() && !type.isAnnotation())
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> !words.contains(method.getName()))
                        .filter(UnusedTest::isOnItsOwn)
                        .filter(method -> method.getAccessesToSelf().isEmpty()
                                && method.getReferencesToSelf().isEmpty())
                        .map(JavaCodeUnit::getFullName))
                .isEmpty();
    }

    private static Set<String> words(List<Path> files, Pattern pattern, int group) {
        Set<String> words = new HashSet<>();
        for (Path file : files) {
            Matcher matcher = pattern.matcher(SourceFiles.text(file));
            while (matcher.find()) {
                words.add(matcher.group(group));
            }
        }
        return words;
    }

    /** Whether nobody calls it through a type above its own, or from outside. */
    private static boolean isOnItsOwn(JavaMethod method) {
        return Stream.of(JavaModifier.SYNTHETIC, JavaModifier.BRIDGE).noneMatch(method.getModifiers()::contains)
                && !BY_NAME.contains(method.getName())
                && method.getAnnotations().isEmpty()
                && above(method.getOwner())
                        .noneMatch(type -> type.getMethods().stream()
                                .anyMatch(other -> other.getName().equals(method.getName())
                                        && other.getRawParameterTypes().size()
                                                == method.getRawParameterTypes().size()));
    }

    private static Stream<JavaClass> above(JavaClass type) {
        return Stream.concat(type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream());
    }
}
