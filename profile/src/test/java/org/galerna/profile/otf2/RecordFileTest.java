package org.galerna.profile.otf2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of files of records. */
class RecordFileTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final int ENTER = 0x0c;
    private static final int LEAVE = 0x0d;

    @TempDir
    private Path folder;

    private static String hex(Fields fields) {
        return HEX.formatHex(fields.toArray());
    }

    @Test
    void numbersHaveAsManyBytesAsTheyNeed() {
        assertThat(hex(new Fields().number(0))).isEqualTo("00");
        assertThat(hex(new Fields().number(255))).isEqualTo("01ff");
        assertThat(hex(new Fields().number(300))).isEqualTo("022c01");
        assertThat(hex(new Fields().number(1L << 60))).isEqualTo("080000000000000010");
        assertThat(hex(new Fields().number(Fields.UNDEFINED))).isEqualTo("ff");
    }

    @Test
    void textsEndWithZeroAndHaveNoOther() {
        assertThat(hex(new Fields().text("a\0é"))).isEqualTo("61c3a900");
    }

    /** The expected bytes are those that the reference library, version 3.0.2, writes for these events. */
    @Test
    void eventsAreThoseOfTheReferenceLibrary() throws IOException {
        Path path = folder.resolve("0.evt");
        Fields fields = new Fields();
        long at = 1_000_000;
        try (RecordFile file = new RecordFile(path, 1 << 20, true)) {
            file.addBare(at, ENTER, fields.clear().number(0));
            file.add(at + 10, 0x0e, fields.clear().number(1).number(0).number(7).number(300));
            file.addBare(at + 20, LEAVE, fields.clear().number(0));
            file.addBare(at + 30, ENTER, fields.clear().number(1));
            file.add(at + 40, 0x16, fields.clear());
            file.add(
                    at + 50,
                    0x17,
                    fields.clear()
                            .raw(0)
                            .number(0)
                            .number(Fields.UNDEFINED)
                            .number(0)
                            .number(0));
            file.addBare(at + 60, LEAVE, fields.clear().number(1));
            file.addBare(at + 70, ENTER, fields.clear().number(0));
            file.add(
                    at + 70,
                    0x0f,
                    fields.clear().number(1).number(0).number(7).number(300).number(5));
        }
        assertThat(HEX.formatHex(Files.readAllBytes(path)))
                .isEqualTo(
                        "034201000000000000000900000000000000" // the chunk and its records
                                + "0540420f00000000000c00" // enter
                                + "054a420f00000000000e080101000107022c01" // send
                                + "0554420f00000000000d00" // leave
                                + "055e420f00000000000c0101" // enter
                                + "0568420f00000000001600" // collective begins
                                + "0572420f000000000017050000ff0000" // collective ends
                                + "057c420f00000000000d0101" // leave
                                + "0586420f00000000000c000f0a0101000107022c010105" // enter and send at the same time
                                + "0201");
    }

    @Test
    void longRecordsHaveALongLength() throws IOException {
        Path path = folder.resolve("long.def");
        try (RecordFile file = new RecordFile(path, 1 << 12, false)) {
            file.add(0x0a, new Fields().number(1).text("x".repeat(300)));
        }
        byte[] bytes = Files.readAllBytes(path);
        assertThat(HEX.formatHex(bytes, 0, 32))
                .isEqualTo("034201000000000000000000000000000000" + "0aff2f010000000000000101" + "7878");
        assertThat(bytes).hasSize(18 + 10 + 303 + 2);
    }

    @Test
    void recordsDoNotStraddleChunks() throws IOException {
        Path path = folder.resolve("0.evt");
        int chunk = 64;
        int records = 20;
        try (RecordFile file = new RecordFile(path, chunk, true)) {
            for (int i = 0; i < records; i++) {
                file.addBare(1000 + i, ENTER, new Fields().number(i + 1));
            }
            assertThat(file.records()).isEqualTo(records);
        }
        byte[] bytes = Files.readAllBytes(path);
        int perChunk = 3; // 18 bytes of the header, 12 for each, 2 for the end
        for (int first = 1, at = 0; first <= records; first += perChunk, at += chunk) {
            int last = Math.min(records, first + perChunk - 1);
            ByteBuffer header = ByteBuffer.wrap(bytes, at, chunk < bytes.length - at ? chunk : bytes.length - at)
                    .order(ByteOrder.LITTLE_ENDIAN);
            assertThat(header.getShort()).isEqualTo((short) 0x4203);
            assertThat(header.getLong()).isEqualTo(first);
            assertThat(header.getLong()).isEqualTo(last);
            for (int record = first; record <= last; record++) {
                assertThat(header.get()).isEqualTo((byte) 0x05);
                assertThat(header.getLong()).isEqualTo(1000 + record - 1);
                assertThat(header.get()).isEqualTo((byte) ENTER);
                assertThat(header.getShort()).isEqualTo((short) ((record << 8) | 1));
            }
            byte[] left = new byte[header.remaining()];
            header.get(left);
            assertThat(left).isEqualTo(last == records ? new byte[] {2, 1} : Arrays.copyOf(new byte[0], left.length));
        }
    }
}
