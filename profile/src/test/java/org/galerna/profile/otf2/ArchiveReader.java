package org.galerna.profile.otf2;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads as much of an archive as tests compare, from the description of the format and not by the code that writes. */
final class ArchiveReader {
    /** An event of a location: its type and its numbers. */
    record Event(long time, int type, List<Long> fields) {}

    /** A definition: its type, and its numbers; texts are taken out. */
    record Definition(int type, List<Long> fields) {}

    final Map<Long, String> strings = new HashMap<>();
    final List<Definition> definitions = new ArrayList<>();
    final Map<Long, List<Event>> events = new HashMap<>();

    ArchiveReader(Path folder) throws IOException {
        ByteBuffer anchor = open(folder.resolve("traces.otf2"));
        anchor.position(12);
        long eventChunk = anchor.getLong();
        long definitionChunk = anchor.getLong();
        anchor.getShort();
        long locations = anchor.getLong();
        long number = anchor.getLong();
        readDefinitions(folder.resolve("traces.def"), definitionChunk);
        check(definitions.size() == number, "definitions: " + number + " of " + definitions.size());
        List<Definition> threads =
                definitions.stream().filter(each -> each.type == 0x0e).toList();
        check(threads.size() == locations, "locations: " + locations + " of " + threads.size());
        for (Definition thread : threads) {
            List<Event> own = readEvents(folder.resolve("traces/" + thread.fields.getFirst() + ".evt"), eventChunk);
            check(own.size() == thread.fields.get(3), "events: " + thread + ", " + own.size());
            events.put(thread.fields.getFirst(), own);
            check(Files.exists(folder.resolve("traces/" + thread.fields.getFirst() + ".def")), thread + " has no file");
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static ByteBuffer open(Path file) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static long number(ByteBuffer in) {
        int size = in.get() & 0xff;
        long value = size == 0xff ? -1 : 0;
        for (int i = 0; i < size && size <= 8; i++) {
            value |= (in.get() & 0xffL) << (8 * i);
        }
        return value;
    }

    private void readDefinitions(Path file, long chunk) throws IOException {
        ByteBuffer in = open(file);
        check(in.remaining() <= chunk, "the test reads one chunk only");
        in.position(18);
        for (int type = in.get(); type != 2; type = in.get()) {
            int length = in.get() & 0xff;
            ByteBuffer record = in.slice(in.position(), length == 0xff ? (int) in.getLong() : length)
                    .order(ByteOrder.LITTLE_ENDIAN);
            in.position(in.position() + record.remaining());
            List<Long> fields = new ArrayList<>();
            if (type == 0x0a) {
                long id = number(record);
                strings.put(id, StandardCharsets.UTF_8.decode(record).toString().replace("\0", ""));
                fields.add(id);
            }
            int field = fields.size();
            while (record.hasRemaining()) {
                fields.add(isRaw(type, field, fields) ? record.get() & 0xffL : number(record));
                field++;
            }
            definitions.add(new Definition(type, fields));
        }
        check(in.get() == 1 && !in.hasRemaining(), file + " has no end");
    }

    private static boolean isRaw(int type, int field, List<Long> fields) {
        return switch (type) {
            case 0x0d, 0x0e -> field == 2;
            case 0x0f -> field == 3 || field == 8 || field == 9;
            case 0x12 -> field == 2 || (field > 3 && field - 4 >= fields.get(3) && field - 4 < fields.get(3) + 2);
            default -> false;
        };
    }

    private static List<Event> readEvents(Path file, long chunk) throws IOException {
        ByteBuffer in = open(file);
        List<Event> events = new ArrayList<>();
        long time = -1;
        while (true) {
            if (in.position() % chunk == 0) {
                in.position(in.position() + 2);
                check(in.getLong() == events.size() + 1, file + ": the chunk begins with another record");
                in.getLong();
            }
            int type = in.get();
            if (type == 0) {
                in.position((int) ((in.position() / chunk + 1) * chunk));
            } else if (type == 2) {
                check(in.get() == 1 && !in.hasRemaining(), file + " has no end");
                return events;
            } else if (type == 5) {
                long next = in.getLong();
                check(next >= time, file + ": time goes back from " + time + " to " + next);
                time = next;
            } else {
                boolean bare = type == 0x0c || type == 0x0d || type == 0x10 || type == 0x11;
                int end = bare ? 0 : (in.get() & 0xff) + in.position();
                List<Long> fields = new ArrayList<>();
                if (type == 0x17) {
                    fields.add((long) in.get());
                }
                do {
                    if (bare || in.position() < end) {
                        fields.add(number(in));
                    }
                } while (in.position() < end);
                events.add(new Event(time, type, fields));
            }
        }
    }
}
