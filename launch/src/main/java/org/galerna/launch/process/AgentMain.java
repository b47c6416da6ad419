package org.galerna.launch.process;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.rendezvous.MessageStream;
import org.galerna.launch.report.ExitStatus;
import org.galerna.link.wireup.Host;

/**
 * Main class of an agent on another host than the launcher's. Speaks with the launcher through its standard streams; the
 * end of its standard input is the end of the launcher, and of the ranks.
 */
public final class AgentMain {
    /** What comes before the first message: a login shell may have printed something. */
    static final byte[] MARK = ("\n\0" + MessageStream.VERSION + "\0\n").getBytes(StandardCharsets.US_ASCII);

    private AgentMain() {}

    /** Serves one launcher. */
    public static void main(String[] arguments) {
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        // nothing else may get between the messages
        System.setOut(System.err);
        MessageStream launcher = new MessageStream(System.in, out, System.in);
        Agent agent = new Agent(message -> tell(launcher, message), false);
        // a signal to the agent is one to its ranks
        Runtime.getRuntime().addShutdownHook(new Thread(agent::kill, "galerna-kill"));
        try {
            out.write(MARK);
            launcher.write(Message.of(Kind.READY, 0, 0, Host.nameHere()));
            for (Message message = launcher.read(); message != null; message = launcher.read()) {
                agent.accept(message);
            }
        } catch (IOException | IllegalArgumentException broken) {
            System.err.println("the agent has lost its launcher: " + broken.getMessage());
        }
        agent.abandon();
        Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
    }

    private static void tell(MessageStream launcher, Message message) {
        try {
            launcher.write(message);
        } catch (IOException gone) {
            // the end of the standard input ends everything
            return;
        }
    }
}
