package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.link.Channel;
import org.galerna.link.EarlyChannel;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.Hosts;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Test;

/** What a device makes of a message whose envelope is there and whose bytes are not: rank 1 is a link alone, which can do that. */
class HeadFirstMessageTest {
    private static final int TAG = 3;
    private static final int LENGTH = 1000;
    private static final long SEED = 5;

    private interface OfDevice {
        void run(Device device) throws Exception;
    }

    private interface OfLink {
        void run(LinkRank rank) throws Exception;
    }

    private static void run(OfDevice receiver, OfLink sender) {
        List<InProcessWireup> job = TestJobs.of(2);
        RankThreads.run(2, rank -> {
            InProcessWireup wireup = job.get(rank);
            if (rank == 0) {
                try (wireup;
                        Device device = Devices.open("smdev", wireup, DeviceOptions.DEFAULT)) {
                    receiver.run(device);
                }
            } else {
                Hosts.publish(wireup, true);
                try (wireup;
                        LinkRank link = LinkRank.open(LinkProvider.named("threads"), wireup, LinkOptions.DEFAULT)) {
                    sender.run(link);
                }
            }
        });
    }

    private static long showHead(LinkRank rank) {
        long claim = rank.claimWithHead(0, LENGTH, (long) TAG << Integer.SIZE);
        rank.link().connect(0).flush();
        return claim;
    }

    private static void commitContents(LinkRank rank, long claim) {
        Channel channel = rank.link().connect(0);
        Payload.fill(channel.memory(), Channel.offset(claim) + EarlyChannel.CONTENTS, LENGTH, SEED);
        Objects.requireNonNull(channel.early()).commitContents(claim);
        channel.flush();
    }

    private static void look(Device device) {
        for (int look = 0; look < 100; look++) {
            assertThat(device.iprobe(Device.ANY_SOURCE, Device.ANY_TAG, 0))
                    .as("a message that is not there in full")
                    .isNull();
        }
    }

    @Test
    void aReceiveThatIsPostedBetweenHeadAndContentsTakesTheMessage() {
        CountDownLatch shown = new CountDownLatch(1);
        CountDownLatch posted = new CountDownLatch(1);
        run(
                device -> {
                    shown.await();
                    look(device);
                    byte[] bytes = new byte[LENGTH];
                    Request receive = device.irecv(bytes, 0, LENGTH, 1, TAG, 0);
                    look(device);
                    assertThat(receive.isDone()).isFalse();
                    posted.countDown();
                    receive.await();
                    assertThat(receive.length()).isEqualTo(LENGTH);
                    assertThat(Payload.difference(bytes, SEED)).isEmpty();
                    receive.release();
                    assertThat(device.isIdle(0)).isTrue();
                },
                rank -> {
                    long claim = showHead(rank);
                    shown.countDown();
                    posted.await();
                    commitContents(rank, claim);
                });
    }

    @Test
    @Fault(17)
    void aReceiveWhoseMessageHasBegunToComeFailsWhenItsSenderIsGone() {
        CountDownLatch posted = new CountDownLatch(1);
        CountDownLatch shown = new CountDownLatch(1);
        CountDownLatch matched = new CountDownLatch(1);
        run(
                device -> {
                    Request receive = device.irecv(new byte[LENGTH], 0, LENGTH, Device.ANY_SOURCE, TAG, 0);
                    posted.countDown();
                    shown.await();
                    look(device);
                    assertThat(receive.isDone()).isFalse();
                    assertThat(receive.cancel()).as("a message has it").isFalse();
                    assertThat(device.isIdle(0)).isFalse();
                    matched.countDown();
                    Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", receive::await);
                    receive.release();
                    assertThat(device.isIdle(0)).isTrue();
                },
                rank -> {
                    posted.await();
                    showHead(rank);
                    shown.countDown();
                    matched.await();
                });
    }
}
