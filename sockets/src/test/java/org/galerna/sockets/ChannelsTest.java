package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.stream.Stream;
import org.galerna.sockets.platform.PlatformChannels;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever uses a channel or a selector sees the same whether or not bytes go through shared memory. */
class ChannelsTest {
    private static final SelectorProvider PLATFORM = PlatformChannels.provider();
    private static final SelectorProvider FAST = new FastSelectorProvider(FastSockets.forChannels());

    static Stream<Arguments> behaviours() {
        return Stream.of(new ChannelBehaviours().all(), new SelectorBehaviours().all())
                .map(Map::entrySet)
                .flatMap(all -> all.stream().map(each -> Arguments.of(each.getKey(), each.getValue())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("behaviours")
    void areThoseOfThePlatform(String name, ChannelBehaviours.Behaviour behaviour) throws Exception {
        assertThat(ChannelProgram.shown(behaviour, FAST, true)).isEqualTo(expected(behaviour));
    }

    @Tag("slow")
    @ParameterizedTest(name = "{0}")
    @MethodSource("behaviours")
    void areThoseOfThePlatformWhileBytesGoOverTcp(String name, ChannelBehaviours.Behaviour behaviour) throws Exception {
        assertThat(ChannelProgram.shown(behaviour, FAST, false)).isEqualTo(expected(behaviour));
    }

    private static String expected(ChannelBehaviours.Behaviour behaviour) throws Exception {
        String expected = ChannelProgram.shown(behaviour, PLATFORM, false);
        assertThat(expected).doesNotContain("failed", "hangs");
        return expected;
    }
}
