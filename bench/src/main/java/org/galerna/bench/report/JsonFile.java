package org.galerna.bench.report;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Records as JSON that people can read: the names are those of their components. */
public final class JsonFile {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonFile() {}

    /** The text of a file, which ends with the end of a line. */
    public static String of(Object document) {
        return MAPPER.writeValueAsString(document) + "\n";
    }

    /**
     * Writes a file, replacing one that is there.
     *
     * @throws IOException if the file cannot be written
     */
    public static void write(Object document, Path file) throws IOException {
        try {
            Files.writeString(file, of(document));
        } catch (JacksonException failed) {
            throw new IOException("the figures cannot be written to " + file, failed);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @param kind what it is to be, for the message
     * @throws IOException if the file cannot be read, or holds something else; the message is one line that names the file
     */
    public static <T> T read(Path file, Class<T> type, String kind) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + " is a folder, not " + kind);
        }
        try {
            return MAPPER.readValue(Files.readString(file), type);
        } catch (NoSuchFileException missing) {
            throw new IOException("there is no file " + file, missing);
        } catch (JacksonException | CharacterCodingException malformed) {
            throw new IOException(file + " is not " + kind, malformed);
        }
    }
}
