package org.galerna.nativeaccess.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class OptionalLibraryTest {
    private static final String PROPERTY = "galerna.test.library";
    private static final String C_LIBRARY = "libc.so.6";

    @Test
    void isLoadedOnce() {
        AtomicInteger bound = new AtomicInteger();
        OptionalLibrary<Integer> library =
                new OptionalLibrary<>(C_LIBRARY, PROPERTY, "package libc6", "any", _ -> bound.incrementAndGet());

        assertThat(library.unavailable("it is")).isEmpty();
        assertThat(library.open()).isEqualTo(1);
        assertThat(library.open()).isEqualTo(1);
    }

    @Test
    void saysWhereAMissingLibraryComesFrom() {
        OptionalLibrary<Integer> library =
                new OptionalLibrary<>("libnone.so.7", PROPERTY, "package libnone7, Red Hat in none", "none 7", _ -> 1);

        assertThat(library.unavailable("none is"))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("libnone.so.7 cannot be loaded (libnone.so.7: ")
                        .endsWith("; Debian and Ubuntu have it in the package libnone7, Red Hat in none"));
    }

    @Test
    void saysWhatDoesNotFitAndRemembersIt() {
        AtomicInteger trials = new AtomicInteger();
        OptionalLibrary<LibraryFunction> library =
                new OptionalLibrary<>(C_LIBRARY, PROPERTY, "package libc6", "none 7 or later", symbols -> {
                    trials.incrementAndGet();
                    return LibraryFunction.of(symbols, "none_open");
                });

        for (int trial = 0; trial < 2; trial++) {
            assertThatThrownBy(library::open)
                    .isInstanceOf(UnsatisfiedLinkError.class)
                    .hasMessageStartingWith("libc.so.6 does not fit: ")
                    .hasMessageContaining("none_open")
                    .hasMessageEndingWith("; none 7 or later is needed");
        }
        assertThat(trials).hasValue(1);
    }

    @Test
    void aPropertyNamesAnotherOne() {
        System.setProperty(PROPERTY, C_LIBRARY);
        try {
            OptionalLibrary<Long> library = new OptionalLibrary<>(
                    "libnone.so.7",
                    PROPERTY,
                    "package libnone7",
                    "none 7",
                    symbols -> LibraryFunction.of(symbols, "labs").call(-7));

            assertThat(library.open()).isEqualTo(7);
        } finally {
            System.clearProperty(PROPERTY);
        }
    }
}
