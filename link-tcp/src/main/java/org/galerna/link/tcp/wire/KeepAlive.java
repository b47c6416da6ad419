package org.galerna.link.tcp.wire;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** Has the system ask the one at the other end of a connection that is silent whether it is there. */
public final class KeepAlive {
    /** Questions without an answer after which the connection is broken. */
    private static final int QUESTIONS = 3;

    /** The options have names here, and not constants, because a runtime image may be without their module. */
    private static final String COUNT = "TCP_KEEPCOUNT";

    private static final String IDLE = "TCP_KEEPIDLE";
    private static final String INTERVAL = "TCP_KEEPINTERVAL";

    private static final int MOST_SECONDS = 32_767;

    private KeepAlive() {}

    /**
     * Breaks the connection if the other system does not answer for a time; of files, which have one system, nothing is
     * asked.
     *
     * @param nanos that time, rounded to what the system can: seconds
     */
    public static void set(SocketChannel channel, long nanos) throws IOException {
        if (!channel.supportedOptions().contains(StandardSocketOptions.SO_KEEPALIVE)) {
            return;
        }
        int seconds = Math.clamp(TimeUnit.NANOSECONDS.toSeconds(nanos) / (QUESTIONS + 1), 1, MOST_SECONDS);
        set(channel, IDLE, seconds);
        set(channel, INTERVAL, seconds);
        set(channel, COUNT, QUESTIONS);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }

    private static void set(SocketChannel channel, String name, int value) throws IOException {
        for (SocketOption<?> each : channel.supportedOptions()) {
            if (each.name().equals(name) && each.type() == Integer.class) {
                @SuppressWarnings("unchecked") // looked at just before
                SocketOption<Integer> option = (SocketOption<Integer>) each;
                channel.setOption(option, value);
            }
        }
    }
}
