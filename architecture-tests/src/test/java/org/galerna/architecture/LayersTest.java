package org.galerna.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LayersTest {
    /** A reader that is too old for the class files of this JDK skips them, and every other rule would hold. */
    @Test
    void allClassFilesAreRead() {
        JavaClass ring = GalernaClasses.ALL.get("org.galerna.memory.RecordRing");
        assertThat(ring.getMethods()).isNotEmpty();
        assertThat(ring.getDirectDependenciesFromSelf()).isNotEmpty();
        assertThat(GalernaClasses.ALL.get("org.galerna.device.Device").getMethods())
                .isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(Layer.class)
    void arrowsPointDown(Layer layer) {
        noClasses()
                .that()
                .resideInAnyPackage(layer.packages())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(layer.forbiddenPackages())
                .because("in the order of the layers an arrow only points down, and " + layer + " knows only what "
                        + "Layer.java lists")
                .allowEmptyShould(true)
                .check(GalernaClasses.ALL);
    }

    @Test
    void noClassIsOutsideTheLayers() {
        classes()
                .should()
                .resideInAnyPackage(Layer.packagesOf(EnumSet.allOf(Layer.class)))
                .because("a new module has to find its place in Layer.java")
                .check(GalernaClasses.ALL);
    }

    @Test
    void concreteLinksAreKnownToNobody() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.galerna.link.*..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.galerna.link.*..")
                        .and(not(resideInAnyPackage(
                                "org.galerna.link.counters",
                                "org.galerna.link.events",
                                "org.galerna.link.handshake",
                                "org.galerna.link.process",
                                "org.galerna.link.settings",
                                "org.galerna.link.wireup"))) // of the layer, and of no link
                        .and(not(resideInAPackage("org.galerna.link.hybrid"))) // composes links that it does not know
                        .and(not(resideInAPackage("org.galerna.link.pair")))) // opens links that it does not know
                .because("links are found by ServiceLoader: whoever adds a network adds one link and nothing else")
                .check(GalernaClasses.ALL);
    }
}
