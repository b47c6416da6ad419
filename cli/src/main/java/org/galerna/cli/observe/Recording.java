package org.galerna.cli.observe;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import jdk.jfr.consumer.EventStream;
import org.galerna.cli.options.RanksFolder;

/**
 * What flight recorder has written of one process: files of chunks, each of which is a recording by itself, so that files one after
 * another are one, too.
 *
 * @param process names the process
 * @param files in the order of time; at least one
 */
record Recording(String process, List<Path> files) {
    private static final String ENDING = ".jfr";

    /** A recording with the list copied. */
    Recording {
        files = List.copyOf(files);
    }

    /** Those of a folder: files of processes that have ended, and for each one that was killed a folder of chunks. */
    static List<Recording> in(Path folder) throws IOException {
        Map<String, List<Path>> byProcess = new LinkedHashMap<>();
        for (Path file : RanksFolder.files(folder)) {
            if (file.toString().endsWith(ENDING) && Files.size(file) > RecordingChunk.HEAD) {
                byProcess
                        .computeIfAbsent(processOf(folder, file), unseen -> new ArrayList<>())
                        .add(file);
            }
        }
        return byProcess.entrySet().stream()
                .map(each -> new Recording(each.getKey(), each.getValue()))
                .toList();
    }

    /** The files are {@code PROCESS-TIME.jfr}, the folders {@code TIME_PROCESS}. */
    private static String processOf(Path folder, Path file) {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null || parent.equals(folder.toAbsolutePath())) {
            return file.getFileName().toString().split("-")[0];
        }
        String name = parent.getFileName().toString();
        return name.substring(name.lastIndexOf('_') + 1);
    }

    /** Writes all of them to one file. */
    static void merge(List<Recording> all, Path target) throws IOException {
        try (WritableByteChannel out = Channels.newChannel(Files.newOutputStream(target))) {
            boolean written = false;
            for (Recording each : all) {
                written |= each.write(out, written);
            }
        }
    }

    /** Writes each of them to a file of a folder that has the name of its ranks. */
    static void copy(List<Recording> all, Path folder) throws IOException {
        for (Recording each : all) {
            Path unnamed = folder.resolve("process-" + each.process + ENDING);
            try (WritableByteChannel out = Channels.newChannel(Files.newOutputStream(unnamed))) {
                each.write(out, false);
            }
            Set<Integer> ranks = ranks(unnamed);
            if (!ranks.isEmpty()) {
                String name = ranks.stream()
                        .sorted(Comparator.naturalOrder())
                        .map(String::valueOf)
                        .collect(Collectors.joining("-", ranks.size() == 1 ? "rank-" : "ranks-", ENDING));
                Files.move(unnamed, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static Set<Integer> ranks(Path file) throws IOException {
        Set<Integer> ranks = new TreeSet<>();
        try (EventStream events = EventStream.openFile(file)) {
            events.onEvent("org.galerna.RankJoined", event -> ranks.add(event.getInt("rank")));
            events.start();
        }
        return ranks;
    }

    /** Writes it; whether there was anything that can be read. */
    private boolean write(WritableByteChannel out, boolean separated) throws IOException {
        boolean written = false;
        for (Path file : files) {
            try (FileChannel in = FileChannel.open(file)) {
                written |= RecordingChunk.copyAll(in, out, separated && !written);
            }
        }
        return written;
    }
}
