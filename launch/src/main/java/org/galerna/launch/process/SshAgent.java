package org.galerna.launch.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.galerna.launch.ProcessStart;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.rendezvous.MessageStream;
import org.galerna.launch.report.ExitStatus;
import org.jspecify.annotations.Nullable;

/**
 * The agent of another host, at the other end of an ssh command. The command line is the same for every job: which Java
 * and which classes are to be started are the first lines of the standard input, everything else comes in messages.
 */
final class SshAgent implements AgentLine {
    /** Run by whichever shell the user has there; without anything in it that the shells treat differently. */
    private static final String REMOTE_COMMAND = "exec /bin/sh -c '"
            + "IFS= read -r java; IFS= read -r home; IFS= read -r jar; IFS= read -r classes; "
            + "if test ! -x \"$java\" && test \"$home\" = any && test -x \"$JAVA_HOME/bin/java\"; then "
            + "java=$JAVA_HOME/bin/java; fi; "
            + "if test ! -x \"$java\"; then echo \"there is no $java; --java names another one\" >&2; exit 127; fi; "
            + "if test ! -e \"$jar\"; then "
            + "echo \"there is no $jar; Galerna and the program must be where they are on this host\" >&2; exit 127; fi; "
            + "exec \"$java\" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto "
            + "-cp \"$classes\" org.galerna.launch.process.AgentMain'";

    /** How long what ssh has written may take to be read after its end. */
    private static final Duration PATIENCE_WITH_ERRORS = Duration.ofSeconds(1);

    private final Process ssh;
    private final OutputStream toAgent;
    private final MessageStream stream;
    private final Events events;
    private final Consumer<String> complaints;
    /** What came before the agent answered: if it never does, the last line says why. Guarded by this, as the next one. */
    private final List<String> early = new ArrayList<>();

    private boolean answered;

    private SshAgent(Process ssh, Events events, Consumer<String> complaints) {
        this.ssh = ssh;
        this.events = events;
        this.complaints = complaints;
        this.toAgent = ssh.getOutputStream();
        this.stream = new MessageStream(new Preamble(ssh.getInputStream(), this::answer), toAgent, toAgent);
    }

    /**
     * Starts an agent.
     *
     * @param command of ssh with its options; the host and the remote command are added
     * @param java the Java to start there; empty for the same path as here, or else that of the remote JAVA_HOME
     * @param complaints takes what ssh and the agent write to the standard error output, line by line
     * @throws IOException if ssh cannot be started
     */
    static SshAgent start(List<String> command, Host host, RemoteJava java, Events events, Consumer<String> complaints)
            throws IOException {
        List<String> words = new ArrayList<>(command);
        words.add(host.name());
        words.add(REMOTE_COMMAND);
        SshAgent agent = new SshAgent(ProcessStart.start(new ProcessBuilder(words)), events, complaints);
        Thread errors = Background.start("galerna-ssh-err", agent::complain);
        Background.start("galerna-ssh", () -> agent.listen(errors));
        try {
            agent.toAgent.write(java.lines().getBytes(StandardCharsets.UTF_8));
            agent.toAgent.flush();
        } catch (IOException ended) {
            // the listening thread knows more
        }
        return agent;
    }

    private void complain() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(ssh.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line);
            }
        } catch (IOException closed) {
            // it has said all that it has to say
            return;
        }
    }

    private synchronized void hear(String line) {
        if (answered) {
            complaints.accept(line);
        } else {
            early.add(line);
        }
    }

    private synchronized void answer() {
        answered = true;
        early.forEach(complaints);
        early.clear();
    }

    private String reason(String otherwise, Thread errors) {
        try {
            errors.join(PATIENCE_WITH_ERRORS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        return reason(otherwise);
    }

    private synchronized String reason(String otherwise) {
        if (early.isEmpty()) {
            return otherwise;
        }
        String last = early.removeLast();
        early.forEach(complaints);
        early.clear();
        return last;
    }

    private void listen(Thread errors) {
        String how = null;
        try {
            for (Message message = stream.read(); message != null; message = stream.read()) {
                events.said(message);
            }
        } catch (IOException broken) {
            how = broken.getMessage();
        }
        String end = end(how);
        events.lost(reason(end, errors));
    }

    private String end(@Nullable String problem) {
        try {
            int status = ssh.waitFor();
            return status == 0
                    ? problem == null ? "its agent has ended" : problem
                    : "ssh has ended with "
                            + (status > ExitStatus.SIGNAL && status < 255
                                    ? "signal " + (status - ExitStatus.SIGNAL)
                                    : "status " + status);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return "ssh has been left";
        }
    }

    @Override
    public void send(Message message) {
        try {
            stream.write(message);
        } catch (IOException broken) {
            // the listening thread tells how
            return;
        }
    }

    @Override
    public void cut() {
        ssh.destroyForcibly();
    }

    /** Skips what a login shell prints before the agent begins. */
    private static final class Preamble extends InputStream {
        private final InputStream source;
        private final Runnable atBegin;
        private boolean begun;

        Preamble(InputStream source, Runnable atBegin) {
            this.source = source;
            this.atBegin = atBegin;
        }

        private void begin() throws IOException {
            byte[] mark = AgentMain.MARK;
            int matched = 0;
            while (matched < mark.length) {
                int next = source.read();
                if (next < 0) {
                    return;
                }
                matched = next == mark[matched] ? matched + 1 : next == mark[0] ? 1 : 0;
            }
            begun = true;
            atBegin.run();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (!begun) {
                begin();
            }
            return source.read(bytes, offset, length);
        }
    }
}
