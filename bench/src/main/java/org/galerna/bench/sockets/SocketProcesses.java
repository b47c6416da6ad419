package org.galerna.bench.sockets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A server and a client that are measured, two processes; closing ends them. */
final class SocketProcesses implements AutoCloseable {
    private final Process server;
    private final Process client;
    private final BufferedReader answers;
    private final PrintWriter requests;

    /**
     * Starts them.
     *
     * @param options of Java
     * @param classPath where {@link SocketWork} is found
     */
    SocketProcesses(List<String> options, String classPath) throws IOException {
        this.server = start(options, classPath, "server");
        String port = reader(server).readLine();
        this.client = start(options, classPath, "client", port);
        this.answers = reader(client);
        this.requests = new PrintWriter(client.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    private static BufferedReader reader(Process process) {
        return process.inputReader(StandardCharsets.UTF_8);
    }

    private static Process start(List<String> options, String classPath, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, SocketWork.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
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

    /** Time on processors that both have used. */
    Duration cpu() {
        return server.info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .plus(client.info().totalCpuDuration().orElse(Duration.ZERO));
    }

    @Override
    public void close() {
        client.destroy();
        server.destroy();
    }
}
