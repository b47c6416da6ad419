package org.galerna.link.pair;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.jspecify.annotations.Nullable;

/**
 * One frame each way, before anything is entrusted to a link: whether an adapter can be opened says little about whether it
 * reaches another one. Both sides make the trial at the same time, and send nothing else until both have told each other
 * how it went.
 */
final class ConnectivityProbe implements FrameHandler {
    private static final long WORD = 0x0a0d_4c41_4952_5447L; // "GTRIAL", then two bytes that text protocols mangle
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long LOOK_NANOS = 100_000;

    /** The reason is the other side's. */
    static final String GIVEN_UP = "the other side has given up";

    private final BooleanSupplier givenUp;
    private boolean heard;
    private @Nullable String obstacle;

    private ConnectivityProbe(BooleanSupplier givenUp) {
        this.givenUp = givenUp;
    }

    /**
     * Why no frame goes both ways; empty if one does. Waits until that is known, or the time is over.
     *
     * @param givenUp whether the other side has found out that none does
     */
    static Optional<String> of(Link link, int peer, long nanos, BooleanSupplier givenUp) {
        try {
            return new ConnectivityProbe(givenUp).run(link, peer, nanos);
        } catch (CommunicationException failed) {
            return Optional.of(String.valueOf(failed.getMessage()));
        }
    }

    private Optional<String> run(Link link, int peer, long nanos) {
        Channel channel = link.connect(peer);
        long end = System.nanoTime() + nanos;
        boolean sent = false;
        while (!(sent && heard)) {
            if (!sent) {
                long claim = channel.claim(Long.BYTES);
                if (claim >= 0) {
                    channel.memory().set(LONG, Channel.offset(claim), WORD);
                    channel.commit(claim, Long.BYTES);
                    sent = true;
                }
            }
            channel.flush();
            if (link.poll(this, 1) == 0) {
                LockSupport.parkNanos(this, LOOK_NANOS); // not in the link: this may be a virtual thread
                if (givenUp.getAsBoolean()) {
                    return Optional.of(GIVEN_UP);
                }
            }
            if (obstacle != null) {
                return Optional.of(obstacle);
            }
            if (System.nanoTime() - end > 0) {
                return Optional.of("nothing goes both ways in time");
            }
        }
        return Optional.empty();
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        if (length == Long.BYTES && memory.get(LONG, offset) == WORD) {
            heard = true;
        } else {
            obstacle = "the first frame that comes is another one than was sent";
        }
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        obstacle = reason;
    }
}
