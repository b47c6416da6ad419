package org.galerna.applications.fdtd;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A text of lines {@code key = value}; {@code #} begins a comment. Every key that is read is checked, and keys that
 * nobody asked for are errors, because a misspelt one would silently change the simulation.
 */
final class ParameterFile {
    private final String name;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<String> known = new TreeSet<>();

    private record Entry(int line, String value) {}

    /**
     * Parses a text.
     *
     * @param name what messages call the file
     * @throws ParameterException if a line is not of the form {@code key = value} or repeats a key
     */
    ParameterFile(String name, String text) {
        this.name = name;
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String content = withoutComment(line).strip();
            if (!content.isEmpty()) {
                addLine(number, content);
            }
        }
    }

    /** Reads a file of text in UTF-8. */
    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw new ParameterException("parameter file " + file + " does not exist");
        } catch (CharacterCodingException binary) {
            throw new ParameterException("parameter file " + file + " is not a text in UTF-8");
        } catch (IOException failure) {
            throw new ParameterException("parameter file " + file + " cannot be read: " + failure.getMessage());
        }
    }

    private static String withoutComment(String line) {
        int comment = line.indexOf('#');
        return comment < 0 ? line : line.substring(0, comment);
    }

    private void addLine(int number, String content) {
        int equals = content.indexOf('=');
        if (equals < 1) {
            throw new ParameterException(
                    name + ", line " + number + ": \"" + content + "\" is not of the form \"key = value\"");
        }
        String key = content.substring(0, equals).strip();
        Entry entry = new Entry(number, content.substring(equals + 1).strip());
        Entry earlier = entries.putIfAbsent(key, entry);
        if (earlier != null) {
            throw new ParameterException(
                    name + ", line " + number + ": key " + key + " was already given in line " + earlier.line);
        }
    }

    private Optional<Entry> entry(String key) {
        known.add(key);
        return Optional.ofNullable(entries.get(key));
    }

    private Entry required(String key, String range) {
        return entry(key)
                .orElseThrow(() -> new ParameterException(name + ": key " + key + " is missing (" + range + ")"));
    }

    /** An integer within a range. */
    int integer(String key, int minimum, int maximum, String unit) {
        String range = "an integer from " + minimum + " to " + maximum + unitSuffix(unit);
        Entry entry = required(key, range);
        try {
            long value = Long.parseLong(entry.value);
            if (value >= minimum && value <= maximum) {
                return (int) value;
            }
        } catch (NumberFormatException notANumber) {
            throw invalid(key, entry, range);
        }
        throw invalid(key, entry, range);
    }

    /** As {@link #integer(String, int, int, String)}, with a value for a missing key. */
    int integer(String key, int minimum, int maximum, String unit, int missing) {
        return entry(key).isPresent() ? integer(key, minimum, maximum, unit) : missing;
    }

    /** A finite number within a range. */
    double number(String key, double minimum, double maximum, String unit) {
        String range = "a number from " + minimum + " to " + maximum + unitSuffix(unit);
        Entry entry = required(key, range);
        try {
            double value = Double.parseDouble(entry.value);
            if (value >= minimum && value <= maximum) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw invalid(key, entry, range);
        }
        throw invalid(key, entry, range);
    }

    /** As {@link #number(String, double, double, String)}, with a value for a missing key. */
    double number(String key, double minimum, double maximum, String unit, double missing) {
        return entry(key).isPresent() ? number(key, minimum, maximum, unit) : missing;
    }

    /** One of a few words, the given one if the key is missing. */
    String choice(String key, Set<String> words, String missing) {
        Optional<Entry> entry = entry(key);
        if (entry.isEmpty()) {
            return missing;
        }
        if (!words.contains(entry.get().value)) {
            throw invalid(key, entry.get(), "one of " + String.join(", ", new TreeSet<>(words)));
        }
        return entry.get().value;
    }

    /** A text that is not empty. */
    Optional<String> text(String key) {
        Optional<Entry> entry = entry(key);
        if (entry.isPresent() && entry.get().value.isEmpty()) {
            throw invalid(key, entry.get(), "not empty");
        }
        return entry.map(Entry::value);
    }

    /** What is wrong about a key for a reason that only the whole of the parameters shows. */
    ParameterException error(String key, String reason) {
        Entry entry = entries.get(key);
        String place = entry == null ? name : name + ", line " + entry.line;
        return new ParameterException(place + ": " + key + ": " + reason);
    }

    /** Rejects keys that no method above was asked for. */
    void rejectUnknownKeys() {
        entries.forEach((key, entry) -> {
            if (!known.contains(key)) {
                throw new ParameterException(name + ", line " + entry.line + ": unknown key " + key
                        + "; known keys are " + String.join(", ", known));
            }
        });
    }

    private ParameterException invalid(String key, Entry entry, String range) {
        return new ParameterException(
                name + ", line " + entry.line + ": " + key + " = " + entry.value + " must be " + range);
    }

    private static String unitSuffix(String unit) {
        return unit.isEmpty() ? "" : " " + unit;
    }
}
