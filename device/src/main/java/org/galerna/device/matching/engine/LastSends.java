package org.galerna.device.matching.engine;

import java.util.List;
import java.util.function.Supplier;
import org.galerna.device.Device;
import org.galerna.device.Waited;
import org.galerna.device.matching.request.SendRequest;
import org.galerna.device.matching.sending.Backlogs;
import org.galerna.link.counters.WaitKind;

/**
 * What a rank that leaves waits for: that its messages have left its memory. Those that the channels had no room for are
 * sent; announced ones, which nobody has waited for, are fetched by the receivers' processes.
 */
final class LastSends implements Waited {
    private final Backlogs backlogs;
    private final Supplier<List<SendRequest>> announced;

    /**
     * Waits for these.
     *
     * @param announced the sends that are still announced
     */
    LastSends(Backlogs backlogs, Supplier<List<SendRequest>> announced) {
        this.backlogs = backlogs;
        this.announced = announced;
    }

    @Override
    public boolean isDone() {
        return backlogs.areEmpty() && announced.get().isEmpty();
    }

    @Override
    public void aboutToSleep() {
        announced.get().forEach(SendRequest::aboutToSleep);
    }

    @Override
    public WaitKind waitKind() {
        return WaitKind.LEAVE;
    }

    @Override
    public String operation() {
        return "finalize, with messages that the receivers have no room for";
    }

    @Override
    public int awaitedPeer() {
        return Device.ANY_SOURCE;
    }
}
