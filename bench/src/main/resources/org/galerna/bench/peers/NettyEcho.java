import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A server that returns what it gets, and a client that sends a message when the one before has come back, both with Netty
 * on its NIO transport. It runs as a source file, because Netty is there at run time only, and knows nothing of Galerna.
 */
final class NettyEcho {
    private NettyEcho() {}

    /** Starts {@code server}, or {@code client <port>}, which measures what it reads from its standard input. */
    public static void main(String[] arguments) throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        if (arguments[0].equals("server")) {
            serve(group);
        } else {
            obey(group, Integer.parseInt(arguments[1]));
        }
    }

    private static void serve(EventLoopGroup group) throws InterruptedException {
        Channel listener = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel accepted) {
                        accepted.pipeline().addLast(new Returner());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        System.out.println(((InetSocketAddress) listener.localAddress()).getPort());
    }

    private static void obey(EventLoopGroup group, int port) throws Exception {
        Sender sender = new Sender();
        Channel channel = new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(sender)
                .connect(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = lines.readLine()) != null) {
            String[] words = line.split(" ", -1); // the kind of measurement, of which there is one
            CompletableFuture<Long> nanos = new CompletableFuture<>();
            int bytes = Integer.parseInt(words[1]);
            int count = Integer.parseInt(words[2]);
            channel.eventLoop().execute(() -> sender.begin(channel, bytes, count, nanos));
            System.out.println(nanos.get());
        }
    }

    /** What the server does. */
    private static final class Returner extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message, context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** What the client does; everything in its event loop. */
    private static final class Sender extends ChannelInboundHandlerAdapter {
        private ByteBuf message = Unpooled.EMPTY_BUFFER;
        private CompletableFuture<Long> nanos = new CompletableFuture<>();
        private int left;
        private int missing;
        private long start;

        void begin(Channel channel, int bytes, int count, CompletableFuture<Long> result) {
            message.release();
            message = channel.alloc().directBuffer(bytes).writeZero(bytes);
            nanos = result;
            left = count;
            start = System.nanoTime();
            send(channel);
        }

        private void send(Channel channel) {
            missing = message.readableBytes();
            channel.writeAndFlush(message.retainedDuplicate(), channel.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            missing -= bytes.readableBytes();
            bytes.release();
            if (missing == 0) {
                if (--left > 0) {
                    send(context.channel());
                } else {
                    nanos.complete(System.nanoTime() - start);
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            nanos.completeExceptionally(new IOException("the server has closed the connection"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            nanos.completeExceptionally(cause);
        }
    }
}
