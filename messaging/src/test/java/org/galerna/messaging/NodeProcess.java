package org.galerna.messaging;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A node as a process: counts the {@link Numbered} messages that it has received in a file, whose memory outlives it: their
 * number, the last one, and how many were not those that should have come.
 */
final class NodeProcess {
    static final int FILE_BYTES = 24;
    static final long COUNT = 0;
    static final long LAST = 8;
    static final long WRONG = 16;

    private NodeProcess() {}

    /** Runs node 2: {@code <link> <file>}. */
    public static void main(String[] arguments) throws IOException {
        MemorySegment memory = map(Path.of(arguments[1]));
        MessagingNode node = MessagingNode.builder(2)
                .address(2, Cluster.anyPort())
                .key(Cluster.KEY)
                .links(arguments[0])
                .connectTimeout(Cluster.PATIENCE) // that of the other side: who gives up first leaves it waiting
                .receive(Numbered.TYPE, (message, from) -> {
                    long last = memory.get(ValueLayout.JAVA_LONG, LAST);
                    if (!message.isIntact() || message.number <= last) {
                        add(memory, WRONG);
                        System.out.println("message " + message.number + " after " + last
                                + (message.isIntact() ? "" : " is damaged"));
                    }
                    memory.set(ValueLayout.JAVA_LONG, LAST, message.number);
                    add(memory, COUNT);
                    if (from.isRequest()) {
                        from.respond(message);
                    }
                })
                .start();
        System.out.println("port " + node.address().getPort());
        int ignored = System.in.read();
        node.close();
    }

    private static void add(MemorySegment memory, long offset) {
        memory.set(ValueLayout.JAVA_LONG, offset, memory.get(ValueLayout.JAVA_LONG, offset) + 1);
    }

    static MemorySegment map(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, Arena.ofAuto());
        }
    }
}
