package org.galerna.bench.sockets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A server and a client that are measured, two processes; closing ends them. */
final class SocketProcesses implements AutoCloseable {
    private final Process server;
    private final Process client;
    private final BufferedReader answers;
    private final PrintWriter requests;
    private final Set<String> measured = new HashSet<>();
    private final Thread hook = new Thread(this::end, "galerna-end-sockets");

    /**
     * Starts them. The server prints where it listens in its first line, which the client gets as arguments.
     *
     * @param options of Java
     * @param program as given to Java; {@code server} and {@code client} follow
     * @param arguments of the server
     */
    SocketProcesses(List<String> options, List<String> program, List<String> arguments) throws IOException {
        this.server = start(options, program, "server", arguments);
        String ports = reader(server).readLine();
        if (ports == null) {
            throw new IOException("the server has ended before it listened: " + String.join(" ", program));
        }
        this.client = start(options, program, "client", List.of(ports.split(" ", -1)));
        this.answers = reader(client);
        this.requests = new PrintWriter(client.getOutputStream(), true, StandardCharsets.UTF_8);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static BufferedReader reader(Process process) {
        return process.inputReader(StandardCharsets.UTF_8);
    }

    private static Process start(List<String> options, List<String> program, String role, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(program);
        command.add(role);
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Whether nobody has asked this about such a measurement before. */
    boolean isFirst(String what) {
        return measured.add(what);
    }

    /** Has the client measure something; returns nanoseconds. */
    long measure(String what, int bytes, int count) throws IOException {
        requests.println(what + " " + bytes + " " + count);
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the client has ended while it measured " + what);
        }
        return Long.parseLong(answer);
    }

    /** Has both run there from now on. */
    void place(Placement placement) throws IOException {
        placement.put(server.pid(), 0);
        placement.put(client.pid(), 1);
    }

    /** Time on processors that both have used. */
    Duration cpu() {
        return server.info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .plus(client.info().totalCpuDuration().orElse(Duration.ZERO));
    }

    private void end() {
        client.destroy();
        server.destroy();
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // it runs already, or has run
            return;
        }
    }
}
