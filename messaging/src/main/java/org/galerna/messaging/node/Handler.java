package org.galerna.messaging.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.process.ShortTurns;
import org.galerna.memory.idle.IdleStrategy;
import org.galerna.messaging.connection.Poller;
import org.galerna.messaging.dispatch.Deliverer;
import org.galerna.messaging.dispatch.Dispatcher;
import org.galerna.messaging.dispatch.WorkItem;
import org.galerna.messaging.pending.Completions;
import org.galerna.messaging.support.CoarseClock;
import org.galerna.messaging.support.NodeLife;
import org.galerna.messaging.support.ThrownText;
import org.galerna.messaging.waiting.HandlerWakeup;
import org.galerna.messaging.waiting.ResponseWaiters;

/**
 * A thread that runs receivers. When there is nothing to receive it polls, if nobody else does; so a message needs no
 * change of threads between the network and its receiver.
 */
final class Handler implements Crew.Work {
    /** Frames of many messages that fill one or two batches: what was copied is handled while the cache has it. */
    private static final int POLL_LIMIT = 16;

    /** Looks without finding anything after which what was processed is confirmed. */
    private static final int CONFIRM_ROUND = 100;

    /** Sleep of a handler that has to look after what others have gathered: nobody wakes it for that. */
    private static final long TEND_NANOS = 50_000;

    private static final long DOZE_NANOS = 10_000_000;
    private static final long SLEEP_NANOS = 1_000_000_000;

    private static final VarHandle BUSY_SINCE;

    static {
        try {
            BUSY_SINCE = MethodHandles.lookup().findVarHandle(Handler.class, "busySince", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final NodeLife life;
    private final CoarseClock clock;
    private final HandlerWakeup wakeup;
    private final ResponseWaiters waiters;
    private final Dispatcher dispatcher;
    private final Poller poller;
    private final Completions completions;
    private final Deliverer deliverer;
    private final Crew crew;
    private final long yieldNanos;
    private final IdleStrategy waiting = IdleStrategy.adaptive(2);

    @SuppressWarnings("UnusedVariable") // through the handle
    private long busySince;

    private long helped;

    /**
     * A handler of a node.
     *
     * @param yieldNanos the longest time for which it leaves the polling to others
     */
    Handler(NodeParts node, Crew crew, long yieldNanos) {
        this.life = node.life();
        this.clock = node.clock();
        this.wakeup = node.wakeup();
        this.waiters = node.waiters();
        this.dispatcher = node.dispatcher();
        this.poller = node.poller();
        this.completions = node.completions();
        this.deliverer = node.newDeliverer();
        this.crew = crew;
        this.yieldNanos = yieldNanos;
    }

    @Override
    public long busySince() {
        return (long) BUSY_SINCE.getAcquire(this);
    }

    Deliverer deliverer() {
        return deliverer;
    }

    long received() {
        return deliverer.received();
    }

    @Override
    public void run() {
        ShortTurns.ask();
        int round = 0;
        while (!life.isStopping()) {
            WorkItem item = dispatcher.take();
            if (item != null) {
                handle(item);
                round = waited(round);
                continue;
            }
            int found = poller.pollForWork(POLL_LIMIT);
            if (found > 0) {
                round = waited(round);
            } else if (found == Poller.BUSY && poller.isHandlerAtIt()) {
                doze();
            } else if (poller.helped() != helped && !waiters.needHandlers()) {
                helped = poller.helped();
                yieldToOthers();
            } else {
                if (round == CONFIRM_ROUND) {
                    poller.confirm();
                }
                if (!waiting.pause(round++) && !sleep()) {
                    round = waited(round);
                }
            }
        }
    }

    private int waited(int round) {
        if (round > 0) {
            waiting.over(round);
        }
        return 0;
    }

    /** Waits for something to handle, while another handler polls. */
    private void doze() {
        wakeup.bell().prepare();
        if (dispatcher.isEmpty() && !completions.areDue() && !life.isStopping()) {
            wakeup.bell().sleep(DOZE_NANOS);
        } else {
            wakeup.bell().cancel();
        }
    }

    /**
     * Leaves the core to threads of the application that poll while they wait. Whatever they find for handlers rings, by
     * {@link Dispatcher#add}: the item is made visible before, and looked for here after the announcement, so that the
     * argument at {@link org.galerna.memory.Doorbell} holds. When they stop, those who still sleep ring, see
     * {@link ResponseWaiters}; the time is for what nobody rings for, such as what others have gathered.
     */
    private void yieldToOthers() {
        waiters.beginYielding();
        try {
            wakeup.bell().prepare();
            if (dispatcher.isEmpty() && !waiters.needHandlers() && !life.isStopping()) {
                wakeup.bell().sleep(yieldNanos);
            } else {
                wakeup.bell().cancel();
            }
        } finally {
            waiters.endYielding();
        }
    }

    /** Returns whether to sleep again soon: there is something to look after, or somebody else polls. */
    private boolean sleep() {
        boolean ignored = Thread.interrupted(); // it would end every sleep
        crew.check();
        poller.confirm();
        boolean last = wakeup.rest();
        boolean rests = true;
        boolean idle = false;
        wakeup.bell().prepare();
        try {
            poller.arm();
            // what has come before the links knew that somebody sleeps is found here
            int found = poller.pollForWork(POLL_LIMIT);
            idle = found == 0 && dispatcher.isEmpty() && !life.isStopping();
            boolean tends = idle && last && poller.needsTending();
            if (!idle || tends) {
                wakeup.unrest();
                rests = false;
            }
            if (idle) {
                wakeup.asleep(true);
                wakeup.bell().sleep(tends ? TEND_NANOS : SLEEP_NANOS);
            }
            return tends || found == Poller.BUSY;
        } finally {
            if (idle) {
                wakeup.asleep(false);
            } else {
                wakeup.bell().cancel();
            }
            if (rests) {
                wakeup.unrest();
            }
        }
    }

    private void handle(WorkItem item) {
        boolean ignored = wakeup.rest(); // a receiver may take long
        BUSY_SINCE.setRelease(this, Math.max(1, clock.now()));
        try {
            item.open(deliverer);
        } catch (Throwable thrown) {
            // whatever users' code throws was caught; what else was in the item is lost, and its sender has to hear
            // that
            item.origin().lose("a thread of this node has died with messages: " + ThrownText.describe(thrown));
            throw thrown;
        } finally {
            BUSY_SINCE.setRelease(this, 0L);
            wakeup.unrest();
            dispatcher.done(item);
            item.discard(); // last: from here on the polling thread may address it for another connection
        }
    }
}
