package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/links.md} says of the methods that a link has to write. */
class LinkSpiTest {
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\| (\\d+) \\| (\\d+) \\| ", Pattern.MULTILINE);

    @Test
    void thePageCountsTheMethods() {
        List<MatchResult> rows = ROW.matcher(SourceFiles.text(Path.of("docs/links.md")))
                .results()
                .toList();
        assertThat(rows).extracting(row -> row.group(1)).contains("Link", "Channel", "Rma");
        assertThat(rows).allSatisfy(row -> {
            JavaClass type = GalernaClasses.ALL.get("org.galerna.link." + row.group(1));
            assertThat(methods(type, true)).as("to write in %s", row.group(1)).hasSize(Integer.parseInt(row.group(2)));
            assertThat(methods(type, false))
                    .as("with defaults in %s", row.group(1))
                    .hasSize(Integer.parseInt(row.group(3)));
        });
    }

    private static List<String> methods(JavaClass type, boolean toWrite) {
        return type.getMethods().stream()
                .filter(method -> Stream.of(JavaModifier.STATIC, JavaModifier.PRIVATE, JavaModifier.SYNTHETIC)
                        .noneMatch(method.getModifiers()::contains))
                .filter(method -> method.getModifiers().contains(JavaModifier.ABSTRACT) == toWrite)
                .map(JavaMethod::getFullName)
                .toList();
    }
}
