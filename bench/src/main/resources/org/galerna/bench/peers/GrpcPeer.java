import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.galerna.bench.peers.CallRank;
import org.galerna.bench.peers.PairRank;
import org.galerna.bench.suite.ContenderServer;

/**
 * Calls of gRPC over the loopback interface, for Galerna to be compared with. It runs as a source file, because gRPC is there at run
 * time only. Started with the folder of the driver's pipes. Messages are bytes as they are; the server answers on the threads of its
 * transport. What goes one way is one call with a stream of messages, held up as gRPC says.
 */
final class GrpcPeer implements CallRank.CallEnd {
    private static final int LONGEST = PairRank.LONGEST + 1024;

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    };

    private static final MethodDescriptor<byte[], byte[]> ECHO = method(MethodDescriptor.MethodType.UNARY, "echo");
    private static final MethodDescriptor<byte[], byte[]> TAKE =
            method(MethodDescriptor.MethodType.CLIENT_STREAMING, "take");

    private final ManagedChannel channel;
    private byte[] argument = {};

    private GrpcPeer(ManagedChannel channel) {
        this.channel = channel;
    }

    private static MethodDescriptor<byte[], byte[]> method(MethodDescriptor.MethodType type, String name) {
        return MethodDescriptor.newBuilder(BYTES, BYTES)
                .setType(type)
                .setFullMethodName("bench/" + name)
                .build();
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .directExecutor()
                .maxInboundMessageSize(LONGEST)
                .addService(ServerServiceDefinition.builder("bench")
                        .addMethod(ECHO, ServerCalls.asyncUnaryCall((bytes, caller) -> {
                            caller.onNext(bytes);
                            caller.onCompleted();
                        }))
                        .addMethod(TAKE, ServerCalls.asyncClientStreamingCall(Counter::new))
                        .build())
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()))
                .usePlaintext()
                .directExecutor()
                .maxInboundMessageSize(LONGEST)
                .build();
        GrpcPeer end = new GrpcPeer(channel);
        PairRank.serveBoth(rank -> ContenderServer.serve(folder, rank, new CallRank(rank, end)));
        channel.shutdownNow();
        server.shutdownNow();
    }

    /** Counts what has come, and says so at the end. */
    private static final class Counter implements StreamObserver<byte[]> {
        private final StreamObserver<byte[]> caller;
        private long count;

        Counter(StreamObserver<byte[]> caller) {
            this.caller = caller;
        }

        @Override
        public void onNext(byte[] bytes) {
            count++;
        }

        @Override
        public void onError(Throwable failure) {
            caller.onError(failure);
        }

        @Override
        public void onCompleted() {
            caller.onNext(ByteBuffer.allocate(Long.BYTES).putLong(count).array());
            caller.onCompleted();
        }
    }

    private byte[] argument(int bytes) {
        if (argument.length != bytes) {
            argument = new byte[bytes];
        }
        return argument;
    }

    @Override
    public void call(int bytes) throws IOException {
        byte[] result = ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, argument(bytes));
        if (result.length != bytes) {
            throw new IOException("gRPC has returned something else");
        }
    }

    @Override
    public void stream(int bytes, long messages) throws IOException {
        byte[] message = argument(bytes);
        Semaphore ready = new Semaphore(0);
        CompletableFuture<Long> handled = new CompletableFuture<>();
        CompletableFuture<ClientCallStreamObserver<byte[]>> begun = new CompletableFuture<>();
        StreamObserver<byte[]> unused = ClientCalls.asyncClientStreamingCall(
                channel.newCall(TAKE, CallOptions.DEFAULT), new ClientResponseObserver<byte[], byte[]>() {
                    @Override
                    public void beforeStart(ClientCallStreamObserver<byte[]> call) {
                        call.setOnReadyHandler(ready::release);
                        begun.complete(call);
                    }

                    @Override
                    public void onNext(byte[] count) {
                        handled.complete(ByteBuffer.wrap(count).getLong());
                    }

                    @Override
                    public void onError(Throwable failure) {
                        handled.completeExceptionally(failure);
                        ready.release();
                    }

                    @Override
                    public void onCompleted() {}
                });
        try {
            ClientCallStreamObserver<byte[]> call = begun.get();
            for (long each = 0; each < messages; each++) {
                while (!call.isReady() && !handled.isDone()) {
                    ready.acquire();
                    ready.drainPermits();
                }
                call.onNext(message);
            }
            call.onCompleted();
            if (handled.get() != messages) {
                throw new IOException("gRPC has lost messages");
            }
        } catch (InterruptedException | ExecutionException failed) {
            throw new IOException(failed);
        }
    }
}
