import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;
import org.galerna.bench.peers.MessageEnd;
import org.galerna.bench.peers.PairRank;
import org.galerna.bench.suite.ContenderServer;
import org.galerna.bench.suite.CoreOfARank;

/**
 * Two threads with Aeron's IPC between them, for Galerna to be compared with. It runs as a source file, because Aeron is
 * there at run time only. Started with the folder of the driver's pipes.
 *
 * <p>The media driver has no thread that would take a processor from the ranks: who waits for room works for it. Messages
 * are copied from the log straight into the receiver's buffer, without a fragment assembler between them. What is longer
 * than Aeron's longest message goes in pieces.
 */
final class AeronPeer implements MessageEnd {
    /** Whether they talk by UDP over the loopback interface, not through memory. */
    private static final boolean UDP = Boolean.getBoolean("aeron.pair.udp");

    private static final int MTU_LENGTH = 8192;
    private static final int TERM_LENGTH = 16 << 20;
    private static final int LONGEST_PAYLOAD = 65504;
    private static final int FIRST_STREAM = 1001;
    private static final int FRAGMENTS_AT_ONCE = 32;
    private static final byte FILLING = 'a';

    private static final int SPINS_BEFORE_YIELD = 100_000;

    /** Longer than any run: nobody may be taken for dead who sleeps between two commands. */
    private static final long FOR_EVER_NANOSECONDS = TimeUnit.DAYS.toNanos(1);

    private final ExclusivePublication publication;
    private final Image image;
    private final Runnable driverWork;
    private final FragmentHandler receiver = (buffer, offset, length, header) -> {
        if (this.position == this.expected) {
            this.position = 0;
        }
        buffer.getBytes(offset, this.target, this.position, length);
        this.position += length;
        this.received += length;
    };
    private UnsafeBuffer source = new UnsafeBuffer(new byte[0]);
    private byte[] target = new byte[0];

    /** Length of the messages that arrive. */
    private int expected;

    /** Where the next fragment goes. */
    private int position;

    /** Bytes that have arrived and that nobody has asked for yet. */
    private int received;

    private AeronPeer(ExclusivePublication publication, Image image, Runnable driverWork) {
        this.publication = publication;
        this.image = image;
        this.driverWork = driverWork;
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        MediaDriver.Context driverContext = new MediaDriver.Context()
                .aeronDirectoryName(CommonContext.generateRandomDirName())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.INVOKER)
                .ipcTermBufferLength(TERM_LENGTH)
                .ipcMtuLength(LONGEST_PAYLOAD)
                .publicationTermBufferLength(TERM_LENGTH)
                .mtuLength(MTU_LENGTH)
                .termBufferSparseFile(false)
                .clientLivenessTimeoutNs(FOR_EVER_NANOSECONDS)
                .publicationUnblockTimeoutNs(2 * FOR_EVER_NANOSECONDS);
        try (MediaDriver driver = MediaDriver.launch(driverContext)) {
            ReentrantLock driverLock = new ReentrantLock();
            AgentInvoker invoker = driver.sharedAgentInvoker();
            Runnable driverWork = () -> {
                if (driverLock.tryLock()) {
                    try {
                        invoker.invoke();
                    } finally {
                        driverLock.unlock();
                    }
                }
            };
            keepAlive(driverWork);
            Aeron.Context context = new Aeron.Context()
                    .aeronDirectoryName(driver.aeronDirectoryName())
                    .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(FOR_EVER_NANOSECONDS));
            try (Aeron aeron = Aeron.connect(context)) {
                AeronPeer[] ends = connect(aeron, driverWork);
                PairRank.serveBoth(rank -> {
                    CoreOfARank.bind(rank, ends.length);
                    ContenderServer.serve(folder, rank, new PairRank(rank, ends[rank]));
                });
            }
        }
    }

    /** Handshakes of the clients, and the driver's sign of life, need it now and then; messages do not wait for it. */
    private static void keepAlive(Runnable driverWork) {
        Thread.ofPlatform().daemon().name("media-driver").start(() -> {
            while (true) {
                driverWork.run();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        });
    }

    private static AeronPeer[] connect(Aeron aeron, Runnable driverWork) {
        Subscription[] subscriptions = new Subscription[2];
        ExclusivePublication[] publications = new ExclusivePublication[2];
        for (int rank = 0; rank < 2; rank++) {
            String channel = UDP ? "aeron:udp?endpoint=127.0.0.1:0" : CommonContext.IPC_CHANNEL;
            subscriptions[rank] = aeron.addSubscription(channel, FIRST_STREAM + rank);
        }
        for (int rank = 0; rank < 2; rank++) {
            publications[rank] = aeron.addExclusivePublication(
                    channelOf(subscriptions[1 - rank], driverWork), FIRST_STREAM + 1 - rank);
        }
        AeronPeer[] ends = new AeronPeer[2];
        for (int rank = 0; rank < 2; rank++) {
            while (!subscriptions[rank].isConnected() || !publications[rank].isConnected()) {
                driverWork.run();
                Thread.yield();
            }
            ends[rank] = new AeronPeer(publications[rank], subscriptions[rank].imageAtIndex(0), driverWork);
        }
        return ends;
    }

    private static String channelOf(Subscription subscription, Runnable driverWork) {
        String channel = UDP ? subscription.tryResolveChannelEndpointPort() : CommonContext.IPC_CHANNEL;
        while (channel == null) { // the driver has not opened its socket yet
            driverWork.run();
            channel = subscription.tryResolveChannelEndpointPort();
        }
        return channel;
    }

    @Override
    public void send(int bytes) throws IOException {
        if (source.capacity() < bytes) {
            source = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes));
            source.setMemory(0, bytes, FILLING);
        }
        int longest = publication.maxMessageLength();
        for (int sent = 0; sent < bytes; sent += longest) {
            offer(sent, Math.min(longest, bytes - sent));
        }
    }

    private void offer(int offset, int length) throws IOException {
        long position = publication.offer(source, offset, length);
        while (position < 0) {
            if (position != Publication.BACK_PRESSURED && position != Publication.ADMIN_ACTION) {
                throw new IOException("Aeron does not take messages any more: " + Publication.errorString(position));
            }
            driverWork.run();
            Thread.onSpinWait();
            position = publication.offer(source, offset, length);
        }
    }

    @Override
    public void receive(int bytes) throws IOException {
        if (target.length < bytes) {
            target = new byte[bytes];
            Arrays.fill(target, FILLING);
        }
        expected = bytes;
        if (received == 0) {
            position = 0;
        }
        int spins = 0;
        while (received < bytes) {
            // Some may be of the messages after this one, which are of the same length.
            if (image.poll(receiver, FRAGMENTS_AT_ONCE) > 0) {
                spins = 0;
            } else if (++spins > SPINS_BEFORE_YIELD) {
                if (image.isClosed()) {
                    throw new IOException("the other end has closed Aeron's stream");
                }
                driverWork.run();
                Thread.yield();
            } else if (UDP) {
                driverWork.run(); // which sends and receives
            } else {
                Thread.onSpinWait();
            }
        }
        received -= bytes;
    }
}
