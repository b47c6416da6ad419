package org.galerna.link.ofi.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.galerna.link.ofi.OfiLinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class OfiOptionsTest {
    private static final List<String> NAMES =
            List.of("provider", "domain", "get.limit", "get.alignment", "registration.cache");

    @AfterEach
    void forget() {
        NAMES.forEach(name -> System.clearProperty(OfiOptions.PREFIX + name));
    }

    private static void refused(String name, String value) {
        System.setProperty(OfiOptions.PREFIX + name, value);
        assertThatThrownBy(OfiOptions::read)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(OfiOptions.PREFIX + name)
                .hasMessageContaining(value);
        System.clearProperty(OfiOptions.PREFIX + name);
    }

    @Test
    void valuesThatAreWrongAreNamed() {
        refused("get.limit", "-1");
        refused("get.limit", "much");
        refused("get.alignment", "3");
        refused("get.alignment", "0");
        refused("registration.cache", "1.5");
        assertThat(OfiOptions.read().getLimit(true)).isEqualTo(65_536);
        assertThat(OfiOptions.read().getLimit(false)).isEqualTo(Integer.MAX_VALUE);
        NAMES.forEach(name -> assertThat(OfiOptions.MEANINGS).containsKey(OfiOptions.PREFIX + name));
    }

    @Test
    void aProviderThatIsNotThereIsNamedWithThoseThatAre() {
        OfiLibrary.unavailable().ifPresent(Assumptions::abort);
        System.setProperty(OfiOptions.PREFIX + "provider", "no-such-provider");
        InProcessWireup alone = InProcessWireup.create(1, (_, _, _) -> {}).getFirst();
        assertThat(new OfiLinkProvider().unavailable(alone))
                .hasValueSatisfying(reason ->
                        assertThat(reason).contains("galerna.ofi.provider=no-such-provider", "there are ", " on "));
    }
}
