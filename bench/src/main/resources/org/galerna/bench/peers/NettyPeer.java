import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.galerna.bench.peers.MessageEnd;
import org.galerna.bench.peers.PairRank;
import org.galerna.bench.suite.ContenderServer;
import org.galerna.bench.suite.CoreOfARank;

/**
 * Two threads with a TCP connection of Netty's between them, for Galerna to be compared with. It runs as a source file,
 * because Netty is there at run time only. Started with the folder of the driver's pipes.
 *
 * <p>Each rank's thread is its own event loop, which is the fastest way to use Netty: no message is passed from one thread
 * of a process to another. Sockets are those of Netty's transport for epoll, or the JDK's where that cannot be had. A
 * rank that waits polls, and then waits in epoll. Messages go out in groups of {@value #GROUP}, before the rank
 * waits, and at once if they answer.
 */
final class NettyPeer extends ChannelInboundHandlerAdapter implements MessageEnd {
    static final int GROUP = 64;

    private static final byte FILLING = 'a';
    private static final int SPINS = 10_000;
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final boolean EPOLL = Epoll.isAvailable();

    private final ManualIoEventLoop loop;
    private Channel channel;
    private ByteBuf source = Unpooled.EMPTY_BUFFER;
    private ByteBuffer target = ByteBuffer.allocateDirect(1 << 16);
    private int unflushed;

    /** Whether the other end waits for the next message, after which nothing may be sent for long. */
    private boolean answers;

    private long received;
    private boolean closed;
    private Throwable failure;

    private NettyPeer(ManualIoEventLoop loop) {
        this.loop = loop;
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        BlockingQueue<InetSocketAddress> address = new LinkedBlockingQueue<>();
        PairRank.serveBoth(rank -> {
            CoreOfARank.bind(rank, 2);
            ManualIoEventLoop loop = new ManualIoEventLoop(Thread.currentThread(), handler());
            NettyPeer end = new NettyPeer(loop);
            if (rank == 0) {
                end.accept(address);
            } else {
                end.connect(address);
            }
            ContenderServer.serve(folder, rank, new PairRank(rank, end));
        });
    }

    private static IoHandlerFactory handler() {
        return EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    private void accept(BlockingQueue<InetSocketAddress> address) throws IOException {
        Class<? extends ServerSocketChannel> kind =
                EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        ServerBootstrap server = new ServerBootstrap()
                .group(loop)
                .channel(kind)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel accepted) {
                        accepted.pipeline().addLast(NettyPeer.this);
                        channel = accepted;
                    }
                });
        ChannelFuture bound = server.bind(InetAddress.getLoopbackAddress(), 0);
        until(bound);
        address.add((InetSocketAddress) bound.channel().localAddress());
        while (channel == null) {
            loop.run(WAIT_NANOS);
        }
        until(bound.channel().close());
    }

    private void connect(BlockingQueue<InetSocketAddress> address) throws IOException {
        Class<? extends SocketChannel> kind = EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
        try {
            ChannelFuture connected = new Bootstrap()
                    .group(loop)
                    .channel(kind)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .handler(this)
                    .connect(address.take());
            until(connected);
            channel = connected.channel();
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    private void until(ChannelFuture done) throws IOException {
        while (!done.isDone()) {
            loop.run(WAIT_NANOS);
        }
        if (!done.isSuccess()) {
            throw new IOException(done.cause());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        // into the rank's own memory, where the other systems leave messages too
        while (bytes.isReadable()) {
            if (!target.hasRemaining()) {
                target.clear();
            }
            int portion = Math.min(bytes.readableBytes(), target.remaining());
            bytes.readBytes(target.limit(target.position() + portion));
            target.limit(target.capacity());
            received += portion;
        }
        bytes.release();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closed = true;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failure = cause;
    }

    @Override
    public void send(int bytes) throws IOException {
        if (source.capacity() < bytes) {
            source.release();
            source = Unpooled.directBuffer(bytes);
            while (source.writableBytes() > 0 && source.writerIndex() < bytes) {
                source.writeByte(FILLING);
            }
        }
        channel.write(source.retainedSlice(0, bytes), channel.voidPromise());
        if (++unflushed == GROUP || answers || !channel.isWritable()) {
            flush();
            while (!channel.isWritable()) {
                checkOpen();
                loop.run(WAIT_NANOS);
            }
        }
    }

    private void flush() {
        answers = false;
        unflushed = 0;
        channel.flush();
    }

    private void checkOpen() throws IOException {
        if (failure != null || closed) {
            throw new IOException("the other end has closed Netty's channel", failure);
        }
    }

    @Override
    public void receive(int bytes) throws IOException {
        if (target.capacity() < bytes) {
            target = ByteBuffer.allocateDirect(bytes);
        }
        flush();
        int spins = 0;
        while (received < bytes) {
            checkOpen();
            if (spins++ < SPINS) {
                loop.runNow();
            } else {
                loop.run(WAIT_NANOS);
            }
        }
        received -= bytes;
        answers = true;
    }
}
