package org.galerna.launch.wireup;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message of PMI-1 or PMI-2: fields with a name and a value, the first of which, {@code cmd}, says what it is. Fields
 * that nobody asks for are ignored, since managers add some of their own. Errors never show values: the job's key may be
 * among them.
 */
final class PmiMessage {
    private static final String SUCCESS = "0";

    private final Map<String, String> fields = new LinkedHashMap<>();

    private PmiMessage() {}

    /** A message without other fields. */
    static PmiMessage command(String command) {
        return new PmiMessage().with("cmd", command);
    }

    /** The message with one more field. */
    PmiMessage with(String name, String value) {
        fields.put(name, value);
        return this;
    }

    PmiMessage with(String name, int value) {
        return with(name, String.valueOf(value));
    }

    /** The fields in this order, with {@code separator} between them. */
    String text(String separator) {
        StringBuilder text = new StringBuilder();
        fields.forEach((name, value) -> text.append(text.isEmpty() ? "" : separator)
                .append(name)
                .append('=')
                .append(value));
        return text.toString();
    }

    static PmiMessage parse(String text, String separator) {
        PmiMessage message = new PmiMessage();
        for (String field : text.split(separator)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                message.fields.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        return message;
    }

    String command() {
        return fields.getOrDefault("cmd", "");
    }

    /** Checks that this is the answer that was expected, and that it tells of success. */
    PmiMessage requireSuccess(String command) throws IOException {
        if (!command().equals(command)) {
            throw new IOException("it has answered \"" + command() + "\" where " + command + " was expected");
        }
        if (!fields.getOrDefault("rc", SUCCESS).equals(SUCCESS)) {
            String why = fields.getOrDefault("msg", fields.getOrDefault("errmsg", "return code " + fields.get("rc")));
            throw new IOException(command + ": " + why);
        }
        return this;
    }

    @Nullable
    String valueOrNull(String name) {
        return fields.get(name);
    }

    String value(String name) throws IOException {
        String value = fields.get(name);
        if (value == null) {
            throw new IOException("its answer " + command() + " has no " + name);
        }
        return value;
    }

    int number(String name) throws IOException {
        String value = value(name);
        try {
            return Integer.parseInt(value.strip());
        } catch (NumberFormatException notANumber) {
            throw new IOException("its answer " + command() + " has no number as " + name, notANumber);
        }
    }
}
