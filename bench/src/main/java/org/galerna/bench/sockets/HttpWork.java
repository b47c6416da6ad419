package org.galerna.bench.sockets;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Small requests by the platform's HTTP client to its HTTP server, one after the other. */
final class HttpWork {
    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** A client of the server at this port of the host. */
    HttpWork(int port) {
        this.address = URI.create("http://127.0.0.1:" + port + "/");
    }

    /** Starts a server that answers with as many bytes as the request's query says; returns its port. */
    static int serve() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = new byte[Integer.parseInt(exchange.getRequestURI().getQuery())];
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        return server.getAddress().getPort();
    }

    /** Requests one after the other; returns the nanoseconds that they took. */
    long requests(int bytes, int count) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(address.resolve("/?" + bytes)).build();
        long start = System.nanoTime();
        try {
            for (int number = 0; number < count; number++) {
                byte[] body = client.send(request, HttpResponse.BodyHandlers.ofByteArray())
                        .body();
                if (body.length != bytes) {
                    throw new IOException("the answer has " + body.length + " bytes instead of " + bytes);
                }
            }
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
        return System.nanoTime() - start;
    }
}
