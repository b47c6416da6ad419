package org.galerna.sockets;

import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.concurrent.Executors;

/** A server of the web that knows nothing of Galerna, and a client, which are both made of channels and selectors. */
public final class HttpProgram {
    private static final int LARGE = 1_000_000;

    private HttpProgram() {}

    /** Serves until it is killed and prints the port, or asks the one at the port that is given. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            serve();
        } else {
            ask(URI.create("http://127.0.0.1:" + arguments[0] + "/"));
            System.out.println("answered, fast: " + FastSockets.counters().getConnectedFast());
        }
    }

    private static void serve() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            byte[] answer = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(answer);
            }
        });
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static void ask(URI server) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int request = 1; request <= 60; request++) {
                byte[] body = new byte[request % 20 == 0 ? LARGE : request];
                Arrays.fill(body, (byte) request);
                HttpRequest question = HttpRequest.newBuilder(server)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build();
                byte[] answer = client.send(question, HttpResponse.BodyHandlers.ofByteArray())
                        .body();
                if (!Arrays.equals(answer, body)) {
                    throw new AssertionError("another answer to request " + request);
                }
            }
        }
    }
}
