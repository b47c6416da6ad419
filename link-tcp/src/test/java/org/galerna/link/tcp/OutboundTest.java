package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboundTest {
    private static final int CAPACITY = 1 << 16;
    private static final int HEAD = 16;

    private final Outbound outbound = new Outbound(new StagingPool(), () -> {});

    @Test
    void whatOthersAskForWhileAnArrayIsSentIsWritten() {
        List<Thread> others = new ArrayList<>();
        ScriptedWire wire = new ScriptedWire().reachingArrays().meanwhile(() -> {
            if (others.isEmpty()) {
                Thread other = Thread.ofPlatform().start(() -> {
                    outbound.send(Frames.DONE, 7);
                    outbound.flush();
                });
                others.add(other);
                join(other);
            }
        });
        outbound.connect(wire);
        OutboundRing ring = new OutboundRing(CAPACITY, false);
        byte[] bytes = new byte[1024];
        assertThat(outbound.ring(() -> ring)).isSameAs(ring);
        long claim = ring.claim(HEAD + bytes.length);
        assertThat(outbound.send(ring, claim, HEAD, bytes, 0, bytes.length)).isTrue();
        assertThat(others).hasSize(1);

        ByteBuffer written = ByteBuffer.wrap(wire.written()).order(ByteOrder.LITTLE_ENDIAN);
        int frame = Frames.bytes(HEAD + bytes.length);
        assertThat(written.remaining()).isEqualTo(frame + 2 * Long.BYTES);
        assertThat(Frames.type(written.getLong(0))).isEqualTo(Frames.FRAME);
        assertThat(Frames.type(written.getLong(frame))).isEqualTo(Frames.DONE);
        assertThat(written.getLong(frame + Long.BYTES)).isEqualTo(7);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
