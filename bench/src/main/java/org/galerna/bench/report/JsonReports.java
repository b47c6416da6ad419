package org.galerna.bench.report;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reports as JSON: the form in which a run is kept, with everything that is known about it. */
public final class JsonReports {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final String NO_REPORT = " is not a report of galerna bench";

    /** By what only they have. */
    private static final Map<String, String> OTHERS = Map.of(
            "headlines", " is a report of galerna bench evaluation; its option --from reads it",
            "jobs", " is a report of galerna model --scale; galerna model --scaled reads it",
            "systems", " is a report of galerna bench start, which nothing reads; its --html makes a page");

    private JsonReports() {}

    /** Writes a report, replacing the file. */
    public static void write(Report report, Path file) throws IOException {
        try {
            Files.writeString(file, MAPPER.writeValueAsString(report) + "\n");
        } catch (JacksonException impossible) {
            throw new IOException("the report cannot be written to " + file, impossible);
        }
    }

    /**
     * Reads a report.
     *
     * @throws IOException if the file cannot be read, or holds no report; the message is one line that names the file
     */
    public static Report read(Path file) throws IOException {
        String text = text(file);
        try (JsonParser parser = MAPPER.createParser(text)) {
            Report report = MAPPER.readValue(parser, Report.class);
            if (report == null || report.machine() == null || report.time() == null || report.command() == null) {
                throw new IOException(file + NO_REPORT);
            }
            return report;
        } catch (JacksonException malformed) {
            int line = malformed.getLocation() == null
                    ? 0
                    : malformed.getLocation().getLineNr();
            String where = line > 0 ? " (see its line " + line + ")" : "";
            throw new IOException(file + other(text).orElse(NO_REPORT + where), malformed);
        }
    }

    /** Which report of another kind it is; empty if it is none. */
    private static Optional<String> other(String text) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            return OTHERS.entrySet().stream()
                    .filter(kind -> tree.has(kind.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst();
        } catch (JacksonException none) {
            return Optional.empty();
        }
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException binary) {
            throw new IOException(file + NO_REPORT, binary);
        }
    }
}
