package org.galerna.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Inside a module arrows point down as they do between modules. */
class RoomsTest {
    private static Stream<Arguments> rooms() {
        return Stream.of(Rooms.values())
                .flatMap(module -> module.all().stream().map(room -> Arguments.of(module, room)));
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void arrowsPointDown(Rooms module, String room) {
        noClasses()
                .that(module.classesOf(room))
                .should()
                .dependOnClassesThat(module.classesOutOfReachOf(room))
                .because("inside " + module + " an arrow only points down, in the order of Rooms.java")
                .check(GalernaClasses.ALL.that(module.classes()));
    }

    @ParameterizedTest
    @EnumSource(Rooms.class)
    void everyPackageHasItsFloor(Rooms module) {
        assertThat(GalernaClasses.ALL.stream()
                        .filter(module.classes())
                        .map(module::roomOf)
                        .collect(Collectors.toSet()))
                .as("packages of %s, and those that Rooms.java lists", module)
                .containsExactlyInAnyOrderElementsOf(module.all());
    }

    /** The packages of module {@code mpj} have the names that programs know. Its one arrow that climbs is a name of the API. */
    @Test
    void thePackagesOfMpiJavaStandOnEachOther() {
        List<String> floors = List.of("xdev", "mpjbuf", "mpjdev", "mpi", "org.galerna.mpj");
        for (int floor = 0; floor < floors.size(); floor++) {
            noClasses()
                    .that()
                    .resideInAPackage(floors.get(floor))
                    .and()
                    .doNotHaveFullyQualifiedName("mpjdev.MPJDev")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(floors.subList(floor + 1, floors.size()).toArray(String[]::new))
                    .because("what is below does not know what stands on it")
                    .check(GalernaClasses.ALL);
        }
    }
}
