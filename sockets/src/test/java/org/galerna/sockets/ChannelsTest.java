package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
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
        assertThat(shown(behaviour, FAST, true)).isEqualTo(expected(behaviour));
    }

    @Tag("slow")
    @ParameterizedTest(name = "{0}")
    @MethodSource("behaviours")
    void areThoseOfThePlatformWhileBytesGoOverTcp(String name, ChannelBehaviours.Behaviour behaviour) throws Exception {
        assertThat(shown(behaviour, FAST, false)).isEqualTo(expected(behaviour));
    }

    private static String expected(ChannelBehaviours.Behaviour behaviour) throws Exception {
        String expected = shown(behaviour, PLATFORM, false);
        assertThat(expected).doesNotContain("failed", "hangs");
        return expected;
    }

    private static String shown(ChannelBehaviours.Behaviour behaviour, SelectorProvider provider, boolean fast)
            throws Exception {
        FutureTask<String> task = new FutureTask<>(() -> {
            try (ChannelPair pair = ChannelPair.open(provider, fast)) {
                return behaviour.of(pair).replaceAll("\\d{4,}", "<number>");
            }
        });
        Thread thread = Thread.ofPlatform().daemon().start(task);
        try {
            return task.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            return "failed: " + failed.getCause()
                    + java.util.Arrays.toString(failed.getCause().getStackTrace());
        } catch (TimeoutException hangs) {
            return "hangs: " + java.util.Arrays.toString(thread.getStackTrace());
        }
    }
}
