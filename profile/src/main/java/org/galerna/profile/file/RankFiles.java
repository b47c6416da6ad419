package org.galerna.profile.file;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.galerna.profile.CallKind;

/** Writes and reads the file of a rank. */
public final class RankFiles {
    /** First word of a file; the last byte is the version of the layout. */
    private static final int MAGIC = 0x47_50_52_03;

    private RankFiles() {}

    /** What is written for each element of a list. */
    private interface Writer<T> {
        void write(DataOutputStream out, T element) throws IOException;
    }

    /** The way back. */
    private interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    /**
     * Writes a file; it appears whole or not at all.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(RankFile rank, Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(part)))) {
            out.writeInt(MAGIC);
            out.writeInt(rank.rank());
            out.writeInt(rank.size());
            out.writeInt(rank.host());
            out.writeLong(rank.pid());
            out.writeInt(rank.processors());
            out.writeLong(rank.clock());
            out.writeLong(rank.begin());
            out.writeLong(rank.end());
            out.writeBoolean(rank.finished());
            writeAll(out, rank.sites(), (to, site) -> {
                to.writeUTF(site.place());
                to.writeUTF(site.call());
                to.writeUTF(site.kind().name());
            });
            writeAll(
                    out,
                    rank.calls(),
                    (to, each) -> longs(to, each.number(), each.time(), each.longest(), each.bytes()));
            writeAll(out, rank.gaps(), (to, each) -> longs(to, each.from(), each.to(), each.number(), each.time()));
            writeAll(
                    out,
                    rank.peers(),
                    (to, each) -> longs(
                            to,
                            each.rank(),
                            each.messages(),
                            each.bytes(),
                            each.collectiveMessages(),
                            each.collectiveBytes()));
            writeAll(out, rank.sizes(), DataOutputStream::writeLong);
            longs(out, rank.timeline().begin(), rank.timeline().width());
            writeAll(out, rank.timeline().slices(), (to, slices) -> {
                to.writeInt(slices.length);
                longs(to, slices);
            });
            writeAll(
                    out,
                    rank.messages(),
                    (to, each) -> longs(
                            to,
                            each.key(),
                            each.sent() ? 1 : 0,
                            each.peer(),
                            each.bytes(),
                            each.begun(),
                            each.waitBegun(),
                            each.waitEnded(),
                            each.site()));
            out.writeInt(rank.messageStride());
            out.writeLong(rank.untold());
            writeAll(
                    out,
                    rank.collectives(),
                    (to, each) -> longs(to, each.key(), each.begun(), each.ended(), each.site()));
            out.writeInt(rank.collectiveStride());
            write(out, rank.trace());
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read, or is no file of a rank
     */
    public static RankFile read(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            if (in.readInt() != MAGIC) {
                throw new IOException(file + " is not the profile of a rank, or of another version of Galerna");
            }
            return new RankFile(
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    in.readLong(),
                    in.readInt(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readBoolean(),
                    readAll(in, from -> new Site(from.readUTF(), from.readUTF(), CallKind.valueOf(from.readUTF()))),
                    readAll(
                            in,
                            from -> new RankFile.Calls(
                                    from.readLong(), from.readLong(), from.readLong(), from.readLong())),
                    readAll(
                            in,
                            from -> new RankFile.Gap(
                                    (int) from.readLong(), (int) from.readLong(), from.readLong(), from.readLong())),
                    readAll(
                            in,
                            from -> new RankFile.Peer(
                                    (int) from.readLong(),
                                    from.readLong(),
                                    from.readLong(),
                                    from.readLong(),
                                    from.readLong())),
                    readAll(in, DataInputStream::readLong),
                    new RankFile.Timeline(in.readLong(), in.readLong(), readAll(in, RankFiles::readLongs)),
                    readAll(
                            in,
                            from -> new RankFile.Message(
                                    from.readLong(),
                                    from.readLong() == 1,
                                    (int) from.readLong(),
                                    from.readLong(),
                                    from.readLong(),
                                    from.readLong(),
                                    from.readLong(),
                                    (int) from.readLong())),
                    in.readInt(),
                    in.readLong(),
                    readAll(
                            in,
                            from -> new RankFile.Together(
                                    from.readLong(), from.readLong(), from.readLong(), (int) from.readLong())),
                    in.readInt(),
                    readTrace(in));
        }
    }

    private static void write(DataOutputStream out, RankFile.Trace trace) throws IOException {
        out.writeBoolean(trace.whole());
        writeAll(out, trace.communicators(), (to, each) -> {
            to.writeInt(each.contexts());
            writeAll(to, each.members(), DataOutputStream::writeInt);
        });
        writeAll(out, trace.calls(), (to, each) -> {
            to.writeInt(each.thread());
            to.writeInt(each.site());
            longs(to, each.begun(), each.ended());
            to.writeInt(each.communicator());
            to.writeLong(each.bytes());
            to.writeInt(each.root());
            longs(to, each.given(), each.gotten());
        });
        writeAll(out, trace.messages(), (to, each) -> {
            to.writeLong(each.key());
            to.writeBoolean(each.sent());
            to.writeInt(each.peer());
            to.writeInt(each.tag());
            to.writeInt(each.communicator());
            to.writeLong(each.bytes());
            to.writeInt(each.thread());
            to.writeLong(each.begun());
            to.writeInt(each.endThread());
            longs(to, each.waitBegun(), each.waitEnded());
        });
    }

    private static RankFile.Trace readTrace(DataInputStream in) throws IOException {
        return new RankFile.Trace(
                in.readBoolean(),
                readAll(in, from -> new RankFile.Communicator(from.readInt(), readAll(from, DataInputStream::readInt))),
                readAll(
                        in,
                        from -> new RankFile.Call(
                                from.readInt(),
                                from.readInt(),
                                from.readLong(),
                                from.readLong(),
                                from.readInt(),
                                from.readLong(),
                                from.readInt(),
                                from.readLong(),
                                from.readLong())),
                readAll(
                        in,
                        from -> new RankFile.TracedMessage(
                                from.readLong(),
                                from.readBoolean(),
                                from.readInt(),
                                from.readInt(),
                                from.readInt(),
                                from.readLong(),
                                from.readInt(),
                                from.readLong(),
                                from.readInt(),
                                from.readLong(),
                                from.readLong())));
    }

    private static void longs(DataOutputStream out, long... values) throws IOException {
        for (long value : values) {
            out.writeLong(value);
        }
    }

    private static long[] readLongs(DataInputStream in) throws IOException {
        long[] values = new long[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readLong();
        }
        return values;
    }

    private static <T> void writeAll(DataOutputStream out, List<T> elements, Writer<T> writer) throws IOException {
        out.writeInt(elements.size());
        for (T each : elements) {
            writer.write(out, each);
        }
    }

    private static <T> List<T> readAll(DataInputStream in, Reader<T> reader) throws IOException {
        int number = in.readInt();
        List<T> elements = new ArrayList<>(number);
        for (int i = 0; i < number; i++) {
            elements.add(reader.read(in));
        }
        return elements;
    }
}
