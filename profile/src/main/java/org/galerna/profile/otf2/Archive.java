package org.galerna.profile.otf2;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.galerna.profile.analysis.Clocks;
import org.galerna.profile.analysis.Tracks;
import org.galerna.profile.file.RankFile;
import org.jspecify.annotations.Nullable;

/**
 * Writes the traces of the ranks of a job as one OTF2 archive. Location {@code r} is the first thread of rank {@code r}; the others
 * follow.
 */
public final class Archive {
    private static final String NAME = "traces";
    private static final int ANCHOR = 0x03;
    private static final int LITTLE_ENDIAN = 0x42;
    private static final int[] VERSION = {3, 2, 3, 0, 2};
    private static final int EVENTS_CHUNK = 1 << 20;
    private static final int DEFINITIONS_CHUNK = 1 << 22;
    private static final int[] FILES_AND_NO_COMPRESSION = {1, 1};
    private static final int[] END = {2, 1, 0};

    private final Path folder;
    private final List<RankFile> files;
    private final Map<Integer, RankFile> byRank = new HashMap<>();
    private final Clocks clocks;
    private final int ranks;

    private Archive(List<RankFile> files, Path folder) {
        this.folder = folder;
        this.files = files;
        files.forEach(file -> byRank.put(file.rank(), file));
        this.clocks = new Clocks(files);
        this.ranks = files.getFirst().size();
    }

    /** A thread of a rank, and how many events it has. */
    private record Location(int id, int rank, String name, long events) {}

    /**
     * Writes an archive.
     *
     * @param files of at least one rank, all of one job
     * @param program what was run, for the region around all calls
     * @param folder where it goes; made if it is not there
     * @throws IOException if it cannot be written
     */
    public static void write(List<RankFile> files, String program, Path folder) throws IOException {
        new Archive(files, folder).write(program);
    }

    /** The name of the file in the folder that readers are told. */
    public static String anchor() {
        return NAME + ".otf2";
    }

    private void write(String program) throws IOException {
        Files.createDirectories(folder.resolve(NAME));
        Regions regions = new Regions(files);
        Communicators communicators = new Communicators();
        List<Location> locations = writeEvents(regions, communicators);
        try (Definitions definitions = new Definitions(folder.resolve(NAME + ".def"), DEFINITIONS_CHUNK)) {
            definitions.clock(length(), clocks.begin());
            regions.define(definitions, program);
            defineRanks(definitions);
            for (Location each : locations) {
                definitions.location(each.id, each.name, each.events, each.rank);
            }
            definitions.ranks(ranks);
            communicators.define(definitions);
            writeAnchor(locations.size(), definitions.number());
        }
    }

    private long length() {
        return files.stream()
                .mapToLong(file -> clocks.sinceBegin(file, file.end()))
                .max()
                .orElse(0);
    }

    /** The hosts and their ranks; a rank that has left no file is put to the first host. */
    private void defineRanks(Definitions definitions) throws IOException {
        int job = definitions.node("job", "job", Fields.UNDEFINED);
        Map<Integer, Integer> nodes = new HashMap<>();
        for (int rank = 0; rank < ranks; rank++) {
            int host = byRank.containsKey(rank)
                    ? byRank.get(rank).host()
                    : files.getFirst().host();
            Integer node = nodes.get(host);
            if (node == null) {
                node = definitions.node("host " + host, "host", job);
                nodes.put(host, node);
            }
            definitions.rank(rank, Tracks.name(rank, 0), node);
        }
    }

    private List<Location> writeEvents(Regions regions, Communicators communicators) throws IOException {
        Set<Long> matched = MatchedMessages.of(files);
        List<Location> locations = new ArrayList<>();
        int next = ranks;
        for (int rank = 0; rank < ranks; rank++) {
            @Nullable RankFile file = byRank.get(rank);
            if (file == null) {
                locations.add(new Location(rank, rank, Tracks.name(rank, 0), writeLocation(rank, null, 0)));
                continue;
            }
            Tracks tracks = new Tracks(file);
            Events events = new Events(file, tracks, clocks, regions, communicators, matched);
            for (int track = 0; track < tracks.number(); track++) {
                int id = track == 0 ? rank : next++;
                locations.add(new Location(id, rank, Tracks.name(rank, track), writeLocation(id, events, track)));
            }
        }
        return locations;
    }

    private long writeLocation(int id, @Nullable Events events, int track) throws IOException {
        Path own = folder.resolve(NAME);
        new RecordFile(own.resolve(id + ".def"), EVENTS_CHUNK, false).close();
        try (RecordFile file = new RecordFile(own.resolve(id + ".evt"), EVENTS_CHUNK, true)) {
            if (events != null) {
                events.write(track, file);
            }
            return file.records();
        }
    }

    private void writeAnchor(int locations, long definitions) throws IOException {
        Fields anchor = new Fields().raw(ANCHOR).raw(LITTLE_ENDIAN).text("OTF2");
        raw(anchor, VERSION);
        anchor.fixed(EVENTS_CHUNK).fixed(DEFINITIONS_CHUNK);
        raw(anchor, FILES_AND_NO_COMPRESSION);
        anchor.fixed(locations).fixed(definitions);
        anchor.text("").text("Galerna").text("");
        anchor.lowest(0, Integer.BYTES).fixed(clocks.begin());
        anchor.lowest(0, Integer.BYTES).lowest(0, Integer.BYTES);
        raw(anchor, END);
        Files.write(folder.resolve(anchor()), anchor.toArray());
    }

    private static void raw(Fields fields, int[] bytes) {
        for (int each : bytes) {
            fields.raw(each);
        }
    }
}
