package org.galerna.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import org.galerna.link.process.OwnLog;
import org.galerna.link.wireup.InProcessWireup.AbortHandler;
import org.galerna.sockets.AgentStart;
import org.junit.jupiter.api.Test;

class DependenciesTest {
    private static final String[] LIBRARIES = Layer.packagesOf(Layer.LIBRARIES);

    @Test
    void nobodyUsesTheInsidesOfTheJdk() {
        noClasses()
                .should()
                .dependOnClassesThat(new SupportedApi().unsupported())
                .because("Galerna runs on final APIs, without --add-opens")
                .check(GalernaClasses.ALL);
    }

    @Test
    void librariesDependOnTheJdkAlone() {
        classes()
                .that()
                .resideInAnyPackage(LIBRARIES)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("java..", "javax..", "jdk..", "org.jspecify..")
                        .or(resideInAnyPackage(LIBRARIES)))
                .because("a program that uses Galerna gets Galerna and nothing else")
                .check(GalernaClasses.ALL);
    }

    /** One exception: what keeps the handlers of ranks apart logs nothing itself. */
    @Test
    void librariesLogThroughSystemLogger() {
        noClasses()
                .that()
                .resideInAnyPackage(LIBRARIES)
                .and()
                .haveNameNotMatching("org\\.galerna\\.launch\\.RankLogs(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..")
                .because("the program that uses Galerna chooses how to log")
                .check(GalernaClasses.ALL);
    }

    /**
     * Four exceptions: the launcher, by whatever name, hands on what ranks print, who ends the process says why, so does an agent that cannot
     * start, in a Java that knows no other way, and the library's log goes where that of the JDK would go.
     */
    @Test
    void librariesLeaveTheStandardStreamsAlone() {
        noClasses()
                .that(resideInAnyPackage(LIBRARIES)
                        .and(not(resideInAnyPackage(Layer.LAUNCH.packages())))
                        .and(not(resideInAnyPackage(Layer.RANKS.packages())))
                        .and(not(assignableTo(AbortHandler.class)))
                        .and(not(assignableTo(AgentStart.class)))
                        .and(not(assignableTo(OwnLog.class))))
                .should(ACCESS_STANDARD_STREAMS)
                .because("the standard streams belong to the program")
                .check(GalernaClasses.ALL);
    }

    @Test
    void nobodyPrintsStackTraces() {
        noClasses()
                .should()
                .callMethodWhere(target(name("printStackTrace")).and(target(owner(assignableTo(Throwable.class)))))
                .because("an error is thrown or reported with what happened, where, and what to do")
                .check(GalernaClasses.ALL);
    }
}
