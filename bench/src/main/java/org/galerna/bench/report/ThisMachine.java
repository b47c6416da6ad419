package org.galerna.bench.report;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What can be learnt about the machine that this JVM runs on. What the system does not tell is empty, or 0. */
public final class ThisMachine {
    private static final Path CACHES = Path.of("/sys/devices/system/cpu/cpu0/cache");
    private static final long KIBIBYTE = 1024;

    private ThisMachine() {}

    /** This machine, now. */
    public static Machine describe() {
        return new Machine(
                value(Path.of("/proc/cpuinfo"), "model name", ":"),
                Runtime.getRuntime().availableProcessors(),
                caches(),
                memoryBytes(),
                system(),
                System.getProperty("java.vm.name") + ' ' + System.getProperty("java.runtime.version"));
    }

    private static long memoryBytes() {
        String digits = value(Path.of("/proc/meminfo"), "MemTotal", ":").replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Long.parseLong(digits) * KIBIBYTE;
    }

    private static String system() {
        String distribution =
                value(Path.of("/etc/os-release"), "PRETTY_NAME", "=").replace("\"", "");
        String kernel = System.getProperty("os.name")
                + ' '
                + System.getProperty("os.version")
                + ' '
                + System.getProperty("os.arch");
        return distribution.isEmpty() ? kernel : distribution + ", " + kernel;
    }

    private static String caches() {
        Map<String, String> sizes = new TreeMap<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(CACHES, "index*")) {
            for (Path folder : folders) {
                String type = Files.readString(folder.resolve("type")).strip();
                String suffix = type.equals("Data") ? "d" : type.equals("Instruction") ? "i" : "";
                String level = "L" + Files.readString(folder.resolve("level")).strip() + suffix;
                String size = Files.readString(folder.resolve("size")).strip();
                sizes.put(level, level + ' ' + size.replaceFirst("K$", " KiB").replaceFirst("M$", " MiB"));
            }
        } catch (IOException untold) {
            return "";
        }
        return String.join(", ", sizes.values());
    }

    /** What follows the name in the first line that begins with it; empty if there is none. */
    private static String value(Path file, String name, String separator) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(separator) + 1).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException untold) {
            return "";
        }
    }
}
