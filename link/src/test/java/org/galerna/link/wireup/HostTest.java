package org.galerna.link.wireup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostTest {
    @Test
    void thisHostIsItselfInEveryWay() {
        Host here = Host.here();
        Host read = Host.decode(here.encode());
        assertThat(read).isEqualTo(here);
        assertThat(read.isOnMachineOf(here)).isTrue();
        assertThat(read.sharesNetworkWith(here)).isTrue();
        assertThat(read.isBeside(here)).isTrue();
        assertThat(here.name()).isEqualTo(Host.nameHere()).isNotBlank();
    }

    @Test
    void containersOfOneMachineMayShareItsNetworkOrItsName() {
        Host machine = new Host("1", "net:[1]", "host");
        Host ownName = new Host("1", "net:[1]", "pod");
        Host ownNetwork = new Host("1", "net:[2]", "host");
        Host clone = new Host("2", "net:[1]", "host");
        assertThat(ownName.isOnMachineOf(machine)).isTrue();
        assertThat(ownName.sharesNetworkWith(machine)).isTrue();
        assertThat(ownName.isBeside(machine)).isFalse();
        assertThat(ownNetwork.isOnMachineOf(machine)).isTrue();
        assertThat(ownNetwork.sharesNetworkWith(machine)).isFalse();
        assertThat(ownNetwork.isBeside(machine)).isTrue();
        assertThat(clone.isOnMachineOf(machine)).isFalse();
        assertThat(clone.sharesNetworkWith(machine)).isFalse();
        assertThat(clone.isBeside(machine)).isFalse();
    }

    @Test
    void namesWithBlanksStayOneWord() {
        Host odd = new Host("1", "", "my host\n2");
        assertThat(Host.decode(odd.encode())).isEqualTo(odd);
        assertThat(odd.name()).isEqualTo("my-host-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a", "a b", "a b c d", "  c", "a b "})
    void otherTextIsNoHost(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Host.decode(text)).withMessageContaining(text);
    }
}
