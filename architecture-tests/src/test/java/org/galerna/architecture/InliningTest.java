package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.launch.place.Inlining;
import org.junit.jupiter.api.Test;

/** A method that has another name now would be inlined everywhere again, and nobody would see it. */
class InliningTest {
    @Test
    void theMethodsThatAreCalledExist() {
        assertThat(Inlining.called().stream().filter(method -> !exists(method))).isEmpty();
    }

    private static boolean exists(String method) {
        String[] parts = method.split("::");
        return GalernaClasses.ALL.contain(parts[0])
                && GalernaClasses.ALL.get(parts[0]).getMethods().stream()
                        .anyMatch(each -> each.getName().equals(parts[1]));
    }
}
