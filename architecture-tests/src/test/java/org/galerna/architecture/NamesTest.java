package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.galerna.device.Devices;
import org.galerna.link.LinkProvider;
import org.junit.jupiter.api.Test;

/** Links and devices say themselves where they belong: nobody above them knows one by its name. */
class NamesTest {
    private static final Pattern LITERAL = Pattern.compile("\"([a-z-]+)\"");

    /** Modules whose programs choose links and devices as users do, and those of the links themselves. */
    private static final Pattern EXCEPT =
            Pattern.compile("(link|device-|bench|cli|applications|microbench|stress|testkit).*");

    /** Other things with the name of a link, and a device in its own class. */
    private static final Map<String, String> OTHERS = Map.of(
            "Settings.java", "shm", // memory that sockets share
            "VirtualThreads.java", "threads", // a file
            "LinkDevices.java", "hybdev");

    @Test
    void noLinkOrDeviceIsKnownByName() {
        Set<String> names = new TreeSet<>(Devices.names());
        LinkProvider.all().forEach(link -> names.add(link.name()));
        assertThat(names).contains("smdev", "hybdev", "shm", "verbs");
        List<String> found = new ArrayList<>();
        for (Path file : SourceFiles.of("main")) {
            if (!EXCEPT.matcher(file.getName(0).toString()).matches()) {
                LITERAL.matcher(SourceFiles.text(file))
                        .results()
                        .map(literal -> literal.group(1))
                        .filter(names::contains)
                        .filter(name ->
                                !name.equals(OTHERS.get(file.getFileName().toString())))
                        .forEach(name -> found.add(file + ": " + name));
            }
        }
        assertThat(found).isEmpty();
    }
}
