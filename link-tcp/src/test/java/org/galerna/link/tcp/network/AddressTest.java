package org.galerna.link.tcp.network;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fuzzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    private static final Address SOME = Address.here(List.of("10.0.0.7 40123", "fd00::7 40123"));

    @Test
    void textBecomesTheSameAddress() {
        assertThat(Address.decode(SOME.encode())).isEqualTo(SOME);
        assertThat(Address.decode(SOME.encode()).sharesNetworkWith(SOME)).isTrue();
    }

    @Test
    void addressesNameAnInterfaceOnlyWhereTheyMeanNothingWithoutIt() throws UnknownHostException {
        byte[] bytes = InetAddress.ofLiteral("fd00::7").getAddress();
        assertThat(InternetNetwork.literal(Inet6Address.getByAddress(null, bytes, 1)))
                .isEqualTo("fd00:0:0:0:0:0:0:7");
        byte[] ofLink = InetAddress.ofLiteral("fe80::7").getAddress();
        assertThat(InternetNetwork.literal(Inet6Address.getByAddress(null, ofLink, 1)))
                .startsWith("fe80:0:0:0:0:0:0:7%");
    }

    @Test
    void socketsAtInterfacesThatThisHostDoesNotHaveAreLeftOut() {
        Address other = Address.here(List.of("fe80::7%elsewhere0 1", "fd00::7%elsewhere0 2", "10.0.0.7 3"));
        assertThat(new InternetNetwork().candidates(SOME, other))
                .containsExactly(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.7"), 3));
    }

    @ParameterizedTest
    @Fault({6, 8})
    @ValueSource(strings = {"", "\n\n\n", "machine network\nno TLS\n10.0.0.7 1", "machine network host\nno TLS"})
    void otherTextIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Address.decode(text.getBytes(UTF_8)));
    }

    @Test
    @Fault({8, 10})
    void whateverIsPublishedIsAnAddressOrRefused() {
        Network network = new InternetNetwork();
        new Fuzzer(List.of(SOME.encode(), Address.here(List.of("::1 1")).encode()))
                .shortRun("whateverIsPublishedIsAnAddressOrRefused", 20_000, bytes -> {
                    try {
                        assertThat(network.candidates(SOME, Address.decode(bytes)))
                                .isNotNull();
                    } catch (IllegalArgumentException refused) {
                        assertThat(refused).hasMessageContaining("");
                    }
                });
    }
}
