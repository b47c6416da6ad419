package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.Wireup;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.faulty.Faults;
import org.galerna.testkit.faulty.FaultyLink;
import org.galerna.testkit.faulty.FaultyLinkProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The matching engine over a link that delays frames, refuses claims and loses a peer. */
@Tag("slow") // smdev, niodev and shmdev have the contract in the fast tier
class FaultydevTest extends DeviceContract {
    private static final Duration DELAY = Duration.ofNanos(100_000);
    private static final double PRESSURE = 0.1;

    private final long seed = Seeds.next("FaultydevTest");

    @BeforeEach
    void disturb() {
        FaultyLinkProvider.use("threads", rank -> Faults.slow(seed, DELAY, PRESSURE));
    }

    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open(FaultyLinkProvider.DEVICE, wireup, options);
    }

    /** A message that has found no room leaves at the next call of its sender, and some tests make none. */
    private void neverRefuse() {
        FaultyLinkProvider.use("threads", rank -> Faults.slow(seed, DELAY, 0));
    }

    @Test
    @Override
    public void aSendThatIsMatchedEndsWhileItsReceiverMakesNoCall() {
        neverRefuse();
        super.aSendThatIsMatchedEndsWhileItsReceiverMakesNoCall();
    }

    @Test
    @Override
    public void aReceiveThatIsMatchedEndsWhileItsSenderMakesNoCall() {
        neverRefuse();
        super.aReceiveThatIsMatchedEndsWhileItsSenderMakesNoCall();
    }

    @Test
    @Override
    public void aSendIsCancelledUnlessItsReceiverHasOrKnowsTheMessage() {
        neverRefuse();
        super.aSendIsCancelledUnlessItsReceiverHasOrKnowsTheMessage();
    }

    @Test
    @Override
    public void burstsArriveWhileTheirSenderComputes() {
        neverRefuse();
        super.burstsArriveWhileTheirSenderComputes();
    }

    @Test
    @Override
    public void everyMessageOfABurstArrivesBeforeTheNextIsSent() {
        neverRefuse();
        super.everyMessageOfABurstArrivesBeforeTheNextIsSent();
    }

    /** Rank 0 loses rank 1 after some of its messages. What has come is received, and everything with rank 2 goes on. */
    @Test
    @Fault(27)
    void aPeerThatIsCutOffFailsWhatNeedsItAndNothingElse() {
        int before = 5;
        int length = 100;
        FaultyLinkProvider.use("threads", rank -> {
            Faults slow = Faults.slow(seed, DELAY, PRESSURE);
            return rank == 0 ? slow.losing(1, before) : slow;
        });
        runJob(3, device -> {
            if (device.rank() == 1) {
                for (int number = 0; number < before; number++) {
                    device.send(Payload.of(number, length), 0, length, 0, number, 0);
                }
                return;
            }
            if (device.rank() == 0) {
                for (int number = 0; number < before; number++) {
                    Messages.expect(device, 1, number, length, number);
                }
                assertThatExceptionOfType(DeviceException.class)
                        .isThrownBy(() -> device.recv(new byte[1], 0, 1, 1, before, 0))
                        .withMessageContaining("rank 1")
                        .withMessageContaining(FaultyLink.CUT);
                assertThatExceptionOfType(DeviceException.class)
                        .isThrownBy(() -> device.ssend(new byte[1], 0, 1, 1, before, 0))
                        .withMessageContaining("rank 1");
            }
            int peer = 2 - device.rank();
            for (int round = 0; round < 20; round++) {
                int large = round % 2 == 0 ? length : 300_000;
                Request send = device.isend(Payload.of(round, large), 0, large, peer, round, 0);
                Messages.expect(device, peer, round, large, round);
                Messages.finish(send);
            }
            assertThat(device.size()).isEqualTo(3);
        });
    }

    /** Not kept: copies of frames that are held back are allocated. */
    @Override
    public void blockingMessagesBelowTheEagerLimitAllocateNothing() {
        // nothing to be checked
    }
}
