package org.galerna.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ShopTest {
    private static final Path GUIDE = Path.of("..", "docs", "messaging.md");

    /** What the table of the guide lists by name is in the parcel, or within what lies in it. */
    @Test
    void theParcelHasEverythingThatTheGuideLists() throws IOException {
        Set<String> inParcel = new TreeSet<>();
        collect(Warehouse.Parcel.class, inParcel);
        List<String> rows = Files.readAllLines(GUIDE).stream()
                .dropWhile(line -> !line.startsWith("| components |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        List<String> listed = rows.stream()
                .flatMap(row -> Pattern.compile("`([A-Z]\\w+)`").matcher(row).results())
                .map(match -> match.group(1))
                .toList();
        assertThat(rows).hasSizeGreaterThan(5);
        assertThat(listed).contains("MonthDay").hasSizeGreaterThan(25);
        assertThat(inParcel)
                .containsAll(listed)
                .contains("int", "double", "Character", "int[][]", "SequencedMap", "Digital", "Pair", "Route");
    }

    private static void collect(Type type, Set<String> names) {
        switch (type) {
            case Class<?> plain -> {
                if (names.add(plain.getSimpleName()) && plain.isRecord()) {
                    for (RecordComponent each : plain.getRecordComponents()) {
                        collect(each.getGenericType(), names);
                    }
                }
                if (plain.isSealed()) {
                    for (Class<?> each : plain.getPermittedSubclasses()) {
                        collect(each, names);
                    }
                }
            }
            case ParameterizedType of -> {
                collect(of.getRawType(), names);
                for (Type each : of.getActualTypeArguments()) {
                    collect(each, names);
                }
            }
            default -> {
                // a type variable, which stands for what lies in it
            }
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(150);

    @Test
    @Tag("slow")
    void threeProcessesServeStreamStartAgainAndChangeKeys() throws InterruptedException {
        List<String> command = ChildProcess.java(
                List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"), Shop.class, List.of());
        try (ChildProcess shop = ChildProcess.start(command)) {
            assertThat(shop.awaitExit(PATIENCE)).as(shop.err()).isZero();
            assertThat(shop.out())
                    .contains(
                            "tea left: 999998",
                            "sold out: moon",
                            "the parcel is the same: true",
                            "in stock: [moon, tea]",
                            "events in order: true",
                            "answers again; requests failed: true",
                            "keys: 2, node 2 ended with 0 and answers again: true",
                            "keys: 1, node 2 ended with 0 and answers again: true",
                            "node 1 has ended with 0, node 2 with 0");
            assertThat(shop.children()).isEmpty();
        }
    }
}
