package org.galerna.cli.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.galerna.profile.analysis.ProfileReader;
import org.galerna.profile.file.RankFile;
import org.galerna.profile.file.Site;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * The first calls of each rank, one by one, in the JSON format of Chrome's trace viewer, which Perfetto and Speedscope read: a
 * process for each host, a track for each rank.
 */
final class ProfileTrace {
    private ProfileTrace() {}

    static void write(List<RankFile> files, Path to) throws IOException {
        try (JsonGenerator json = JsonMapper.shared().createGenerator(Files.newBufferedWriter(to))) {
            json.writeStartObject();
            json.writeStringProperty("displayTimeUnit", "ns");
            json.writeArrayPropertyStart("traceEvents");
            ProfileReader.Times times = ProfileReader.times(files);
            for (RankFile file : files) {
                name(json, "process_name", file, "host " + file.host());
                name(json, "thread_name", file, "rank " + file.rank());
                for (RankFile.Call call : file.first()) {
                    Site site = file.sites().get(call.site());
                    json.writeStartObject();
                    json.writeStringProperty("ph", "X");
                    json.writeStringProperty("name", site.call());
                    json.writeStringProperty("cat", site.kind().word());
                    json.writeNumberProperty("ts", times.microseconds(file, call.begun()));
                    json.writeNumberProperty("dur", (call.ended() - call.begun()) / 1e3);
                    track(json, file);
                    json.writeObjectPropertyStart("args");
                    json.writeStringProperty("at", site.place());
                    json.writeEndObject();
                    json.writeEndObject();
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (UncheckedIOException failure) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    private static void name(JsonGenerator json, String kind, RankFile file, String name) {
        json.writeStartObject();
        json.writeStringProperty("ph", "M");
        json.writeStringProperty("name", kind);
        track(json, file);
        json.writeObjectPropertyStart("args");
        json.writeStringProperty("name", name);
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void track(JsonGenerator json, RankFile file) {
        json.writeNumberProperty("pid", file.host());
        json.writeNumberProperty("tid", file.rank());
    }
}
