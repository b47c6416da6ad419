package org.galerna.link.wireup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Where a process runs, as the ranks of a job tell each other. There are three ways of being on the same host, and one
 * does not follow from another where containers or other name spaces are used:
 *
 * <ul>
 *   <li>{@linkplain #isOnMachineOf on one machine}: under one running system, so that numbers which that system gives
 *       (of file systems, files, name spaces) can be compared, and memory may be shared if the same folder is seen;
 *   <li>{@linkplain #sharesNetworkWith with one network}: one loopback interface, in one network name space;
 *   <li>{@linkplain #isBeside beside each other}: on one machine under one host name. That is what a person, a host file
 *       and a job manager mean by a host, and what collectives are arranged by. A container with a name of its own, or
 *       another name space that has one, is a host of its own.
 * </ul>
 *
 * @param machine identity of the running system: another one after each start, and another one on cloned machines
 * @param network identity of the network name space under that system; empty if the system has none
 * @param name name of the host, for people too; asks no name server where the kernel tells it
 */
public record Host(String machine, String network, String name) {
    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}]+");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/net");
    private static final Path NAME = Path.of("/proc/sys/kernel/hostname");

    /** As text, for {@link #decode}, a field must not contain what stands between fields. */
    public Host {
        machine = word(machine);
        network = word(network);
        name = word(name);
    }

    private static String word(String text) {
        return SPACE.matcher(text.strip()).replaceAll("-");
    }

    /** The host of this process. Asks the system each time: a process may be moved to another name space. */
    public static Host here() {
        String name = nameHere();
        return new Host(machineHere(name), networkHere(), name);
    }

    private static String machineHere(String name) {
        try {
            return Files.readString(BOOT);
        } catch (IOException notLinux) {
            return name; // the best there is
        }
    }

    private static String networkHere() {
        try {
            return Files.readSymbolicLink(NAMESPACE).toString();
        } catch (IOException | UnsupportedOperationException notLinux) {
            return "";
        }
    }

    /** The name of the host of this process; {@code localhost} if it has none. */
    public static String nameHere() {
        try {
            return Files.readString(NAME).strip();
        } catch (IOException notLinux) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException nameless) {
                return InetAddress.getLoopbackAddress().getHostName();
            }
        }
    }

    /** Whether both run under one system. */
    public boolean isOnMachineOf(Host other) {
        return machine.equals(other.machine);
    }

    /** Whether both have the same loopback interface. */
    public boolean sharesNetworkWith(Host other) {
        return isOnMachineOf(other) && network.equals(other.network);
    }

    /** Whether both are on one host, as people mean it. */
    public boolean isBeside(Host other) {
        return isOnMachineOf(other) && name.equals(other.name);
    }

    /** This host as one line of text. */
    public String encode() {
        return machine + " " + network + " " + name;
    }

    /**
     * Reads what {@link #encode} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Host decode(String text) {
        String[] words = text.split(" ", -1);
        if (words.length != 3 || words[0].isEmpty() || words[2].isEmpty()) {
            throw new IllegalArgumentException("\"" + text + "\" is not where a rank runs");
        }
        return new Host(words[0], words[1], words[2]);
    }
}
