import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.galerna.bench.peers.MessageEnd;
import org.galerna.bench.peers.PairRank;
import org.galerna.bench.suite.ContenderServer;

/**
 * Two threads with a connection of Netty's between them, for Galerna to be compared with. It runs as a source file, because
 * Netty is there at run time only. Started with the folder of the driver's pipes.
 *
 * <p>Each end has an event loop of its own. Messages are written by the rank's thread and flushed in groups of
 * {@value #GROUP}, or before it waits; what arrives is copied by the event loop and counted for the rank.
 */
final class NettyPeer implements MessageEnd {
    static final int GROUP = 64;

    private static final int SPINS_BEFORE_YIELD = 1000;
    private static final byte FILLING = 'a';

    private Channel channel;
    private byte[] source = new byte[0];
    private int unflushed;
    private long taken;
    private volatile long received;

    private final class Counter extends SimpleChannelInboundHandler<ByteBuf> {
        private byte[] copied = new byte[64 * 1024];

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            int length = bytes.readableBytes();
            if (copied.length < length) {
                copied = new byte[length];
            }
            bytes.readBytes(copied, 0, length);
            received = received + length; // by the event loop alone
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        NettyPeer[] ends = {new NettyPeer(), new NettyPeer()};
        BlockingQueue<Channel> accepted = new ArrayBlockingQueue<>(1);
        NioEventLoopGroup near = new NioEventLoopGroup(1);
        NioEventLoopGroup far = new NioEventLoopGroup(1);
        Channel listener = new ServerBootstrap()
                .group(far)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(ends[1].new Counter());
                        accepted.add(channel);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        ends[0].channel = new Bootstrap()
                .group(near)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(ends[0].new Counter());
                    }
                })
                .connect(listener.localAddress())
                .sync()
                .channel();
        ends[1].channel = accepted.take();
        PairRank.serveBoth(rank -> ContenderServer.serve(folder, rank, new PairRank(rank, ends[rank])));
        near.shutdownGracefully();
        far.shutdownGracefully();
    }

    @Override
    public void send(int bytes) throws IOException {
        if (source.length < bytes) {
            source = new byte[bytes];
            Arrays.fill(source, FILLING);
        }
        if (!channel.isWritable()) {
            flush();
            for (int spins = 0; !channel.isWritable(); spins++) {
                pause(spins);
            }
        }
        channel.write(channel.alloc().directBuffer(bytes).writeBytes(source, 0, bytes), channel.voidPromise());
        if (++unflushed == GROUP) {
            flush();
        }
    }

    private void flush() {
        unflushed = 0;
        channel.flush();
    }

    @Override
    public void receive(int bytes) throws IOException {
        if (unflushed > 0) {
            flush();
        }
        for (int spins = 0; received - taken < bytes; spins++) {
            pause(spins);
        }
        taken += bytes;
    }

    private void pause(int spins) throws IOException {
        if (spins < SPINS_BEFORE_YIELD) {
            Thread.onSpinWait();
        } else if (!channel.isActive()) {
            throw new IOException("the other end has closed the connection");
        } else {
            Thread.yield();
        }
    }
}
