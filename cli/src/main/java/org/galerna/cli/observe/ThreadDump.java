package org.galerna.cli.observe;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.launch.report.ThreadPosition;

/**
 * The stacks of the threads of another virtual machine, as {@code jcmd PID Thread.print} prints them. The virtual machine
 * answers by itself, whatever the program does; it lets nobody ask but its own user.
 */
final class ThreadDump {
    private static final Pattern HEAD = Pattern.compile("^\"(.*)\" #(\\d+) .*");
    private static final Pattern STATE = Pattern.compile("^ {3}java\\.lang\\.Thread\\.State: (\\w+).*");
    private static final Pattern FRAME = Pattern.compile("^\\tat (\\S+)\\.([^.(]+)\\((?:[^/()]*/)?([^()]*)\\)$");
    private static final Pattern LINE = Pattern.compile("(.*):(\\d+)");
    private static final int NATIVE_LINE = -2;

    private ThreadDump() {}

    /**
     * A thread.
     *
     * @param number its number in the virtual machine
     * @param state what it does, in words
     */
    record Stack(String name, long number, String state, List<StackTraceElement> frames) {
        Stack {
            frames = List.copyOf(frames);
        }
    }

    /**
     * The threads of a process.
     *
     * @throws IOException if it does not answer
     */
    static List<Stack> of(long process) throws IOException {
        return parse(print(process));
    }

    private static String print(long process) throws IOException {
        try {
            // starts what listens, and makes sure that this is a virtual machine
            VirtualMachine.attach(String.valueOf(process)).detach();
        } catch (AttachNotSupportedException refused) {
            throw new IOException(refused.getMessage(), refused);
        }
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket(process)))) {
            channel.write(ByteBuffer.wrap("1\0jcmd\0Thread.print\0\0\0".getBytes(StandardCharsets.UTF_8)));
            String answer = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            if (!answer.startsWith("0\n")) {
                throw new IOException("the virtual machine refuses: " + answer.strip());
            }
            return answer.substring(2);
        }
    }

    /** In the folder for temporary files of the process, which may be in a container. */
    private static Path socket(long process) {
        String name = ".java_pid" + process;
        Path inContainer = Path.of("/proc/" + process + "/root/tmp", name);
        return Files.exists(inContainer) ? inContainer : Path.of("/tmp", name);
    }

    static List<Stack> parse(String text) {
        List<Stack> stacks = new ArrayList<>();
        String name = null;
        long number = 0;
        String state = "";
        List<StackTraceElement> frames = new ArrayList<>();
        for (String line : (text + "\n\"\" #0 ").split("\n", -1)) {
            Matcher head = HEAD.matcher(line);
            if (head.matches()) {
                if (name != null) {
                    stacks.add(new Stack(name, number, state, frames));
                }
                name = head.group(1);
                number = Long.parseLong(head.group(2));
                state = "";
                frames.clear();
                continue;
            }
            Matcher found = STATE.matcher(line);
            if (found.matches()) {
                state = ThreadPosition.words(Thread.State.valueOf(found.group(1)));
            }
            Matcher frame = FRAME.matcher(line);
            if (frame.matches()) {
                frames.add(frame(frame.group(1), frame.group(2), frame.group(3)));
            }
        }
        return stacks;
    }

    private static StackTraceElement frame(String className, String method, String place) {
        Matcher line = LINE.matcher(place);
        if (line.matches()) {
            return new StackTraceElement(className, method, line.group(1), Integer.parseInt(line.group(2)));
        }
        return switch (place) {
            case "Native Method" -> new StackTraceElement(className, method, null, NATIVE_LINE);
            case "Unknown Source" -> new StackTraceElement(className, method, null, -1);
            default -> new StackTraceElement(className, method, place, -1);
        };
    }
}
