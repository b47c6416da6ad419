package org.galerna.messaging;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** What receivers, serializers, listeners and logs of a node may do, and counts of what they have done. */
final class HostileCode {
    static final Duration LONG = Cluster.PATIENCE;
    static final int LONGEST = 1 << 20;

    private static final Duration SHORT = Duration.ofMillis(40);

    /** Something that ends by itself, or throws. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** What a receiver is to do. */
    enum Act {
        ANSWER(LONG),
        THROW(LONG),
        ERROR(LONG),
        OVERFLOW(LONG),
        MEMORY(LONG),
        LENGTHY(LONG),
        MUTE(LONG),
        CHECKED(LONG),
        INTERRUPT(LONG),
        UNKNOWN_ANSWER(LONG),
        LONG_ANSWER(LONG),
        HALF_ANSWER(LONG),
        SNARE(LONG),
        NO_ANSWER(LONG),
        TWICE(LONG),
        STALE(LONG),
        LATER(LONG),
        LATER_UNKNOWN(LONG),
        ASK_BACK(LONG),
        ASK_FOR_SNARE(LONG),
        TOO_LATE(SHORT),
        NEVER(SHORT),
        BLOCK(SHORT);

        private final Duration limit;

        Act(Duration limit) {
            this.limit = limit;
        }

        /** Long for those that are told how it ends. */
        Duration limit() {
            return limit;
        }
    }

    record Deed(Act act, int number) {}

    record Step(long number) {}

    record Unknown(int number) {}

    /** Throws when it is read. */
    record Trap(int number) {}

    /** Throws when it is written. */
    record Half(int number) {}

    /** Something that is answered with the next number and the same bytes; with a trap if the number is negative. */
    @SuppressWarnings("ArrayRecordComponent") // as in programs
    record Task(long number, byte[] bytes) {
        static Task random() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            byte[] bytes = new byte[random.nextInt(50) == 0 ? 100_000 : random.nextInt(300)];
            random.nextBytes(bytes);
            return new Task(random.nextLong(1L << 60), bytes);
        }

        Task done() {
            return new Task(number + 1, bytes);
        }

        void check(Task answer) {
            if (answer.number != number + 1 || !Arrays.equals(answer.bytes, bytes)) {
                throw new AssertionError("task " + number + " was answered with " + answer.number + ", " + bytes.length
                        + " bytes with " + answer.bytes.length);
            }
        }
    }

    /** Its text cannot be had. */
    @SuppressWarnings("OverrideThrowableToString") // it is to fail in every way
    private static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new StackOverflowError("no text");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("no cause");
        }
    }

    static final MessageType<Deed> DEED = MessageType.record(11, 0, Deed.class);
    static final MessageType<Task> WORK = MessageType.record(12, 0, Task.class);
    static final MessageType<Step> STEP = MessageType.record(13, 0, Step.class);

    final LongAdder received = new LongAdder();
    final LongAdder noise = new LongAdder();
    final LongAdder thrown = new LongAdder();
    final LongAdder unreadable = new LongAdder();
    final LongAdder wrong = new LongAdder();

    /** Answers that are still to be given. */
    final LongAdder later = new LongAdder();

    /** Read by the node under test only. */
    final MessageType<Trap> trap = MessageType.of(14, 0, Trap.class, new Serializer<>() {
        @Override
        public void write(Trap value, Exporter out) {
            out.writeInt(value.number());
        }

        @Override
        public Trap read(Importer in, @Nullable Trap reused) {
            unreadable.increment();
            throw anything();
        }
    });

    private static final MessageType<Half> HALF = MessageType.of(15, 0, Half.class, new Serializer<>() {
        @Override
        public void write(Half value, Exporter out) {
            for (int each = 0; each < value.number() * 100; each++) {
                out.writeInt(each);
            }
            throw anything();
        }

        @Override
        public Half read(Importer in, @Nullable Half reused) {
            return new Half(in.readInt());
        }
    });

    /** An answer that cannot be read. */
    record Snare(int number) {
        Snare {
            if (number < 0) {
                throw anything();
            }
        }
    }

    private static final MessageType<Snare> SNARE = MessageType.of(16, 0, Snare.class, new Serializer<>() {
        @Override
        public void write(Snare value, Exporter out) {
            out.writeInt(-1 - value.number());
        }

        @Override
        public Snare read(Importer in, @Nullable Snare reused) {
            return new Snare(in.readInt());
        }
    });

    private static final ThreadLocal<Delivery> STALE = new ThreadLocal<>();

    private final Random listening;
    private final AtomicReference<MessagingNode> node = new AtomicReference<>();
    private final Handler log = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            if (ThreadLocalRandom.current().nextBoolean()) {
                throw anything();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    HostileCode(long seed) {
        listening = new Random(seed);
    }

    void node(MessagingNode victim) {
        node.set(victim);
    }

    NodeBuilder types(NodeBuilder builder) {
        return builder.type(DEED).type(WORK).type(STEP).type(trap).type(HALF).type(SNARE);
    }

    private static RuntimeException anything() {
        return switch (ThreadLocalRandom.current().nextInt(6)) {
            case 0 -> new IllegalStateException("hostile");
            case 1 -> throw new AssertionError("hostile");
            case 2 -> throw new StackOverflowError("hostile");
            case 3 -> throw new OutOfMemoryError("hostile");
            case 4 -> new Mute();
            default -> HostileCode.<RuntimeException>sneaky(new Exception("hostile"));
        };
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // that is the trick
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static int overflow(int depth) {
        return depth < 0 ? 0 : overflow(depth + 1) + depth; // the stack ends before the numbers do
    }

    Handler log() {
        return log;
    }

    ConnectionListener listener() {
        return new ConnectionListener() {
            @Override
            public void onConnected(int peer, String link) {
                maybe();
            }

            @Override
            public void onDisconnected(int peer, String reason, long unconfirmed) {
                maybe();
            }

            private void maybe() {
                if (listening.nextBoolean()) {
                    throw anything();
                }
            }
        };
    }

    // ---- receivers

    void serve(Task task, Delivery from) {
        counted(() -> from.respond(task.done()));
    }

    /** At a node that is not under test. */
    @SuppressWarnings("UnusedMethod") // by name
    void serveElsewhere(Task task, Delivery from) {
        from.respond(task.number() < 0 ? new Snare(1) : task.done());
    }

    void noise(Numbered message, Delivery from) {
        noise.increment();
        if (from.isRequest()) {
            try {
                from.respond(message);
            } catch (MessagingException gone) {
                thrown.increment();
                throw gone;
            }
        }
    }

    void act(Deed deed, Delivery from) {
        counted(() -> perform(deed, from));
    }

    private void counted(Work work) {
        received.increment();
        try {
            work.run();
        } catch (Throwable failed) {
            thrown.increment();
            throw HostileCode.<RuntimeException>sneaky(failed);
        }
    }

    private void perform(Deed deed, Delivery from) throws Exception {
        Task answer = new Task(deed.number(), new byte[deed.number()]);
        switch (deed.act()) {
            case ANSWER -> from.respond(answer);
            case THROW -> throw new IllegalStateException("hostile");
            case ERROR -> throw anything();
            case OVERFLOW -> from.respond(new Task(overflow(0), new byte[0]));
            case MEMORY -> throw new OutOfMemoryError("hostile");
            case LENGTHY -> throw new IllegalStateException("hostile".repeat(LONGEST));
            case MUTE -> throw new Mute();
            case CHECKED -> throw new Exception("hostile");
            case INTERRUPT -> {
                Thread.currentThread().interrupt();
                throw new InterruptedException("hostile");
            }
            case UNKNOWN_ANSWER -> from.respond(new Unknown(1));
            case LONG_ANSWER -> from.respond(new Task(1, new byte[2 * LONGEST]));
            case HALF_ANSWER -> from.respond(new Half(deed.number() * deed.number()));
            case SNARE -> from.respond(new Snare(1));
            case NO_ANSWER -> from.respond(nothing());
            case TWICE -> {
                from.respond(answer);
                from.respond(answer);
            }
            case STALE -> useStale(from, answer);
            case LATER -> later(from.responder(), answer, deed.number());
            case LATER_UNKNOWN -> later(from.responder(), new Unknown(1), deed.number());
            case ASK_BACK -> askBack(from, Task.random());
            case ASK_FOR_SNARE -> askBack(from, new Task(-1, new byte[0]));
            case TOO_LATE -> later(from.responder(), answer, 2L * deed.number());
            case NEVER -> {}
            case BLOCK -> LockSupport.parkNanos(deed.number() * 2_000_000L);
        }
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // as in programs that nobody checks
    private static <T> T nothing() {
        return null;
    }

    private void useStale(Delivery from, Task answer) {
        Delivery before = STALE.get(); // of a receiver that this thread has run, and that has returned
        STALE.set(from);
        if (before != null) {
            try {
                before.respond(new Task(-1, new byte[0]));
                wrong.increment();
            } catch (IllegalStateException expected) {
                // nobody hears of it
            }
        }
        from.respond(answer);
    }

    private void later(Responder responder, Object answer, long millis) {
        later.increment();
        Thread ignored = Thread.startVirtualThread(() -> {
            try {
                LockSupport.parkNanos(millis * 1_000_000);
                responder.respond(answer);
            } catch (IllegalArgumentException unknown) {
                // its asker hears of it
            } finally {
                later.decrement();
            }
        });
    }

    private void askBack(Delivery from, Task task) {
        Object answer = node.get().request(from.sender(), task, Object.class, LONG);
        task.check((Task) answer);
        from.respond(answer);
    }

    /** A process that sends and asks until it is killed: {@code <link> <number> <port of node 1>}. */
    static final class Noise {
        private Noise() {}

        public static void main(String[] arguments) {
            int id = Integer.parseInt(arguments[1]);
            MessagingNode node = MessagingNode.builder(id)
                    .address(id, Cluster.anyPort())
                    .address(1, new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[2])))
                    .key(Cluster.KEY)
                    .links(arguments[0])
                    .connectTimeout(Cluster.PATIENCE)
                    .type(Numbered.TYPE)
                    .start();
            Numbered first = new Numbered();
            node.request(1, first, Numbered.class, LONG);
            System.out.println("begins");
            Thread asking = Thread.ofPlatform().start(() -> {
                while (true) {
                    node.request(1, new Numbered(), Numbered.class, LONG);
                }
            });
            while (asking.isAlive()) {
                Numbered message = new Numbered();
                message.length = 4 * ThreadLocalRandom.current().nextInt(20_000);
                node.send(1, message);
            }
        }
    }
}
