package org.galerna.launch.process;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hosts as users write them: {@code a:2,b:2}, or a file with a line for each, {@code a:2} as MPICH has it or
 * {@code a slots=2} as Open MPI has it, where {@code #} begins a comment. A host that is named several times has the sum
 * of the slots; one without a number counts as one then.
 */
public final class HostList {
    /** What can stand for a host: nothing that an ssh command could take for an option. */
    private static final String NAME = "(?:[\\w.-]+@)?(?:\\[[0-9A-Fa-f:.%\\w]+\\]|[A-Za-z0-9_][\\w.-]*)";

    private static final Pattern HOST = Pattern.compile("(" + NAME + ")(?::(\\d{1,9}))?");
    private static final Pattern LINE =
            Pattern.compile("(" + NAME + ")(?::(\\d{1,9})|(?:\\s+(?:slots|max[-_]slots|procs)\\s*=\\s*\\d{1,9})*)");
    private static final Pattern SLOTS = Pattern.compile("\\s(?:slots|procs)\\s*=\\s*(\\d{1,9})");
    private static final String FORMS = "a host is name or name:ranks, such as node1:4";

    private final Map<String, OptionalInt> slots = new LinkedHashMap<>();

    private HostList() {}

    /**
     * Reads the value of {@code --hosts}.
     *
     * @throws LaunchException if it makes no sense
     */
    public static List<Host> parse(String text) {
        HostList list = new HostList();
        for (String each : text.split(",", -1)) {
            Matcher host = HOST.matcher(each.strip());
            if (!host.matches()) {
                throw new LaunchException("--hosts " + text + ": \"" + each + "\" is not a host; " + FORMS);
            }
            list.add(host.group(1), host.group(2), "--hosts " + text);
        }
        return list.hosts();
    }

    /**
     * Reads a file of hosts.
     *
     * @throws LaunchException if there is no such file, or if it makes no sense
     */
    public static List<Host> read(Path file) {
        HostList list = new HostList();
        List<String> lines = lines(file);
        for (int index = 0; index < lines.size(); index++) {
            String line = lines.get(index).replaceFirst("#.*", "").strip();
            if (!line.isEmpty()) {
                String place = "host file " + file + ", line " + (index + 1);
                Matcher host = LINE.matcher(line);
                if (!host.matches()) {
                    throw new LaunchException(
                            place + ": \"" + line + "\" is not a host; write name, name:ranks or name slots=ranks");
                }
                Matcher number = SLOTS.matcher(line);
                list.add(host.group(1), number.find() ? number.group(1) : host.group(2), place);
            }
        }
        if (list.slots.isEmpty()) {
            throw new LaunchException("host file " + file + " is empty: write a line for each host, such as node1:4");
        }
        return list.hosts();
    }

    /** How many ranks there is room for; a host that nobody has given a number counts as one. */
    public static int room(List<Host> hosts) {
        return hosts.stream().mapToInt(host -> host.slots().orElse(1)).sum();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException missing) {
            throw new LaunchException("there is no host file " + file, missing);
        } catch (MalformedInputException binary) {
            throw new LaunchException("host file " + file + " is not a text in UTF-8", binary);
        } catch (IOException unreadable) {
            throw new LaunchException("host file " + file + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private void add(String name, @Nullable String number, String place) {
        OptionalInt more = number == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number));
        if (more.isPresent() && more.getAsInt() == 0) {
            throw new LaunchException(place + ": host " + name + " has 0 ranks; leave it out");
        }
        slots.merge(
                name.replaceAll("[\\[\\]]", ""), more, (one, other) -> OptionalInt.of(one.orElse(1) + other.orElse(1)));
    }

    private List<Host> hosts() {
        List<Host> hosts = new ArrayList<>();
        slots.forEach((name, number) -> hosts.add(new Host(name, number)));
        return hosts;
    }
}
