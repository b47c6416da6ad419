package org.galerna.cli.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.galerna.profile.analysis.Clocks;
import org.galerna.profile.analysis.Tracks;
import org.galerna.profile.file.RankFile;
import org.galerna.profile.file.Site;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * The first calls of each rank, one by one, in the JSON format of Chrome's trace viewer, which Perfetto and Speedscope read: a
 * process for each host, a track for each thread of a rank.
 */
final class ProfileTrace {
    private static final double NANOS_PER_MICROSECOND = 1e3;

    private ProfileTrace() {}

    static void write(List<RankFile> files, Path to) throws IOException {
        try (JsonGenerator json = JsonMapper.shared().createGenerator(Files.newBufferedWriter(to))) {
            json.writeStartObject();
            json.writeStringProperty("displayTimeUnit", "ns");
            json.writeArrayPropertyStart("traceEvents");
            Clocks clocks = new Clocks(files);
            for (RankFile file : files) {
                name(json, "process_name", file, 0, "host " + file.host());
                Tracks tracks = new Tracks(file);
                for (int track = 0; track < tracks.number(); track++) {
                    name(json, "thread_name", file, track, Tracks.name(file.rank(), track));
                }
                for (RankFile.Call call : file.trace().calls()) {
                    Site site = file.sites().get(call.site());
                    json.writeStartObject();
                    json.writeStringProperty("ph", "X");
                    json.writeStringProperty("name", site.call());
                    json.writeStringProperty("cat", site.kind().word());
                    json.writeNumberProperty("ts", clocks.sinceBegin(file, call.begun()) / NANOS_PER_MICROSECOND);
                    json.writeNumberProperty("dur", (call.ended() - call.begun()) / NANOS_PER_MICROSECOND);
                    track(json, file, tracks.of(call.thread()));
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

    private static void name(JsonGenerator json, String kind, RankFile file, int track, String name) {
        json.writeStartObject();
        json.writeStringProperty("ph", "M");
        json.writeStringProperty("name", kind);
        track(json, file, track);
        json.writeObjectPropertyStart("args");
        json.writeStringProperty("name", name);
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void track(JsonGenerator json, RankFile file, int track) {
        json.writeNumberProperty("pid", file.host());
        json.writeNumberProperty("tid", track * file.size() + file.rank());
    }
}
