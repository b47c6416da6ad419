package org.galerna.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Several hosts that are all this machine: network namespaces with an address, a host name and an ssh server each, joined
 * by a network of their own. They have the file system in common, as the hosts of a cluster often have their homes. Where
 * there can be no such hosts, {@link #create} skips the test.
 */
public final class VirtualHosts implements AutoCloseable {
    private static final String PACKAGES = "openssh-server openssh-client iproute2 util-linux";
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** Where the server wants to have a folder, though it uses none of it here. */
    private static final Path SEPARATION = Path.of("/run/sshd");

    private final Path folder;
    private final String prefix;
    private final List<String> names;
    private final List<ChildProcess> servers = new ArrayList<>();

    private VirtualHosts(Path folder, String prefix, List<String> names) {
        this.folder = folder;
        this.prefix = prefix;
        this.names = names;
    }

    /** Makes hosts of these names. */
    public static VirtualHosts create(String... names) throws InterruptedException {
        for (String tool : List.of("ip", "unshare", "ssh", "sshd", "ssh-keygen")) {
            Tools.require(tool, PACKAGES);
        }
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")), "network namespaces are for root alone: run as root");
        try {
            Path folder = Files.createTempDirectory("galerna-hosts");
            String prefix = "g" + Long.toString(ProcessHandle.current().pid() * 1000 + System.nanoTime() % 1000, 36);
            VirtualHosts hosts = new VirtualHosts(folder, prefix, List.of(names));
            try {
                hosts.connect();
                hosts.serve();
                return hosts;
            } catch (RuntimeException | Error | IOException | InterruptedException failed) {
                hosts.close();
                throw failed;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- the network

    private String namespace(String name) {
        return prefix + "-" + name;
    }

    private String bridge() {
        return prefix + "-net";
    }

    private void connect() throws InterruptedException {
        String refusal = attempt("ip", "netns", "add", bridge());
        Assumptions.assumeTrue(refusal.isEmpty(), "network namespaces are forbidden here: " + refusal);
        ip("-n", bridge(), "link", "add", "net", "type", "bridge");
        ip("-n", bridge(), "link", "set", "net", "up");
        for (String name : names) {
            String host = namespace(name);
            ip("netns", "add", host);
            ip("link", "add", "eth0", "netns", host, "type", "veth", "peer", "name", "to-" + name, "netns", bridge());
            ip("-n", bridge(), "link", "set", "to-" + name, "master", "net", "up");
            ip("-n", host, "addr", "add", address(name) + "/24", "dev", "eth0");
            ip("-n", host, "link", "set", "lo", "up");
            ip("-n", host, "link", "set", "eth0", "up");
        }
    }

    private void ip(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        String refusal = attempt(command.toArray(String[]::new));
        if (!refusal.isEmpty()) {
            throw new AssertionError(String.join(" ", command) + ": " + refusal);
        }
    }

    /** Runs a command; what it complains about, or nothing. */
    private static String attempt(String... command) throws InterruptedException {
        try (ChildProcess process = ChildProcess.start(List.of(command))) {
            int status = process.awaitExit(LONGEST);
            return status == 0 ? "" : "status " + status + " " + process.err().strip();
        }
    }

    /** The address of a host, in a network that reaches the others alone. */
    public String address(String name) {
        return "10.117.0." + (names.indexOf(name) + 1);
    }

    // ---- the servers

    private void serve() throws IOException, InterruptedException {
        if (!Files.exists(SEPARATION)) {
            Files.createDirectory(SEPARATION);
        }
        for (String key : List.of("host-key", "user-key")) {
            String refusal = attempt("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file(key));
            if (!refusal.isEmpty()) {
                throw new AssertionError(refusal);
            }
        }
        Files.writeString(folder.resolve("sshd.conf"), """
                Port 22
                HostKey FOLDER/host-key
                AuthorizedKeysFile FOLDER/user-key.pub
                PidFile none
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                PermitRootLogin yes
                """.replace("FOLDER", folder.toString()));
        String hostKey = Files.readString(folder.resolve("host-key.pub"));
        StringBuilder known = new StringBuilder();
        StringBuilder client = new StringBuilder();
        for (String name : names) {
            known.append(address(name)).append(' ').append(hostKey);
            client.append("Host ")
                    .append(name)
                    .append("\n  HostName ")
                    .append(address(name))
                    .append('\n');
        }
        client.append("""
                Host *
                  IdentityFile FOLDER/user-key
                  IdentitiesOnly yes
                  UserKnownHostsFile FOLDER/known-hosts
                  BatchMode yes
                  ConnectTimeout 10
                """.replace("FOLDER", folder.toString()));
        Files.writeString(folder.resolve("known-hosts"), known);
        Files.writeString(folder.resolve("ssh.conf"), client);
        String server = Tools.require("sshd", PACKAGES).toString();
        for (String name : names) {
            ChildProcess running = ChildProcess.start(on(name, List.of(server, "-D", "-e", "-f", file("sshd.conf"))));
            servers.add(running);
            running.awaitErr(text -> text.contains("listening"), LONGEST);
        }
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    /** The words of the command that reaches the other hosts from one of them, up to the host's name. */
    public List<String> ssh() {
        return List.of("ssh", "-F", file("ssh.conf"));
    }

    /** The command that runs a command on a host. */
    public List<String> on(String name, List<String> command) {
        List<String> words = new ArrayList<>(List.of(
                "ip",
                "netns",
                "exec",
                namespace(name),
                "unshare",
                "--uts",
                "sh",
                "-c",
                "hostname \"$0\" && exec \"$@\"",
                name));
        words.addAll(command);
        return words;
    }

    /** Cuts a host off from the others, or joins it to them again. */
    public void cut(String name, boolean off) throws InterruptedException {
        ip("-n", bridge(), "link", "set", "to-" + name, off ? "down" : "up");
    }

    /** The processes that run on a host. */
    public Set<Long> processes(String name) throws InterruptedException {
        try (ChildProcess list = ChildProcess.start(List.of("ip", "netns", "pids", namespace(name)))) {
            list.awaitExit(LONGEST);
            return Set.copyOf(list.out().lines().map(Long::valueOf).toList());
        }
    }

    @Override
    public void close() {
        try {
            for (String name : names) {
                processes(name).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            }
            servers.forEach(ChildProcess::close);
            for (String name : names) {
                attempt("ip", "netns", "del", namespace(name));
            }
            attempt("ip", "netns", "del", bridge());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
