package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.process.ShortTurns;
import org.galerna.link.settings.Setting;
import org.galerna.mpi.settings.KnownProperties;
import org.junit.jupiter.api.Test;

/** What pages say of system properties is what the code reads. */
class SettingsPageTest {
    private static final Path PAGES = Path.of("../docs");
    private static final Pattern NAME = Pattern.compile("`(galerna\\.[a-z][a-z.]*[a-z])`");

    private static List<String> rows() throws IOException {
        return Files.readAllLines(PAGES.resolve("user-guide.md")).stream()
                .filter(line -> line.startsWith("| `galerna."))
                .toList();
    }

    private static List<String> cells(String name) throws IOException {
        String row = rows().stream()
                .filter(line -> line.startsWith("| `" + name + "`"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row of " + name));
        return Stream.of(row.split("\\|", -1)).map(String::strip).toList();
    }

    @Test
    void everyPropertyOfTheTableIsKnown() throws IOException {
        List<String> named = rows().stream()
                .map(row -> row.substring(0, row.indexOf('|', 1)))
                .flatMap(cell -> NAME.matcher(cell).results().map(found -> found.group(1)))
                .toList();
        assertThat(named).hasSizeGreaterThan(10);
        assertThat(KnownProperties.complaint(named)).isEmpty();
    }

    @Test
    void everyKnownPropertyStandsOnAPage() throws IOException {
        String text;
        try (Stream<Path> pages = Files.list(PAGES)) {
            text = pages.filter(page -> page.toString().endsWith(".md"))
                    .map(SettingsPageTest::read)
                    .collect(Collectors.joining("\n"));
        }
        assertThat(KnownProperties.names())
                .filteredOn(name -> !name.startsWith("galerna.coll.") && !name.equals("galerna.launcher.agent"))
                .allSatisfy(name -> assertThat(isNamed(text, name)).as(name).isTrue());
    }

    /** By its whole name, or by its end in a row or table of names with the same beginning. */
    private static boolean isNamed(String text, String name) {
        for (int dot = 0; dot >= 0; dot = name.indexOf('.', dot + 1)) {
            if (text.contains("`" + name.substring(dot == 0 ? 0 : dot) + "`")
                    || text.contains("`" + name.substring(dot == 0 ? 0 : dot + 1) + "`")) {
                return true;
            }
        }
        return text.contains(name);
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    @Test
    void theTableHasTheDefaultsAndTheLimitsOfTheCode() throws IOException {
        check(PeerTimeout.SETTING, "0.1", "1000000");
        check(ShortTurns.SETTING, "100", "100000");
    }

    private static void check(Setting<? extends Number> setting, String least, String most) throws IOException {
        List<String> cells = cells(setting.name());
        assertThat(cells.get(2)).isEqualTo(String.valueOf(setting.otherwise().longValue()));
        assertThat(cells.get(3)).contains(least + " to " + most);
        assertThat(setting.form()).contains(least, most);
    }
}
