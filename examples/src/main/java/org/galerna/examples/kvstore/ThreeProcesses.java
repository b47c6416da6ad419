package org.galerna.examples.kvstore;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs a {@link KeyValueStore} on three processes of this machine, stores some rows and reads them again. Needs no
 * arguments; those that it starts the other two nodes with are the number of the node and the ports of all.
 */
public final class ThreeProcesses {
    private static final int NODES = 3;
    private static final int ROWS = 10_000;

    // Nodes on several hosts would have it in a file that only their user can read.
    private static final String SECRET = "an example has no secrets";

    private ThreeProcesses() {}

    /** Runs one node. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 0) {
            serve(Integer.parseInt(arguments[0]), List.of(arguments).subList(1, arguments.length));
            return;
        }
        List<String> ports = freePorts();
        List<Process> others = new ArrayList<>();
        for (int id = 1; id < NODES; id++) {
            others.add(start(id, ports));
        }
        try (KeyValueStore store = new KeyValueStore(0, addresses(ports), SECRET)) {
            use(store);
        }
        for (Process other : others) {
            other.getOutputStream().close(); // the end of its input is the end of its work
            other.waitFor();
        }
    }

    private static void use(KeyValueStore store) {
        for (int number = 0; number < ROWS; number++) {
            store.put("user" + number, new KeyValueStore.Row(List.of("Name " + number, "city " + number % 100)));
        }
        int found = 0;
        for (int number = 0; number < ROWS; number++) {
            String name = "Name " + number;
            found += store.get("user" + number)
                    .filter(row -> row.columns().getFirst().equals(name))
                    .map(_ -> 1)
                    .orElse(0);
        }
        System.out.println(found + " of " + ROWS + " rows were found again");
        for (int node = 0; node < NODES; node++) {
            System.out.println("node " + node + " has " + store.size(node));
        }
    }

    private static void serve(int id, List<String> ports) throws IOException {
        KeyValueStore store = new KeyValueStore(id, addresses(ports), SECRET);
        int ignored = System.in.read(); // until node 0 closes the pipe, or is gone
        store.close();
    }

    private static Process start(int id, List<String> ports) throws IOException {
        Stream<String> java = Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ThreeProcesses.class.getName(),
                Integer.toString(id));
        return new ProcessBuilder(Stream.concat(java, ports.stream()).toList())
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static List<String> freePorts() throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        List<String> ports = new ArrayList<>();
        for (ServerSocket socket : sockets) {
            ports.add(Integer.toString(socket.getLocalPort()));
            socket.close();
        }
        return ports;
    }

    private static List<InetSocketAddress> addresses(List<String> ports) {
        return ports.stream()
                .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)))
                .toList();
    }
}
