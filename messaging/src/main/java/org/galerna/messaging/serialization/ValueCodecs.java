package org.galerna.messaging.serialization;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The codecs of single values: what has no parts that a program chooses. */
final class ValueCodecs {
    private static final int COPIED_BYTES = 4096;

    private static final Map<Class<?>, Codec<?>> CODECS = new HashMap<>();

    static {
        addLanguage();
        addArrays();
        addNumbers();
        addTime();
        addOthers();
    }

    private ValueCodecs() {}

    /** That of a class; null if it is no class of single values. */
    static @Nullable Codec<?> find(Class<?> type) {
        return CODECS.get(type);
    }

    private static <T> void add(Class<T> type, Codec.Writer<T> writer, Codec.Reader<T> reader) {
        CODECS.put(type, Codec.nullable(writer, in -> {
            try {
                return reader.read(in);
            } catch (DateTimeException | ArithmeticException | IllegalArgumentException impossible) {
                throw new MalformedMessageException(
                        "there is no such " + type.getName() + ": " + impossible.getMessage());
            }
        }));
    }

    private static <T> void addArray(
            Class<T> type, Codec.Writer<@Nullable T> writer, Codec.Reader<@Nullable T> reader) {
        CODECS.put(type, Codec.of(writer, reader));
    }

    private static void addLanguage() {
        CODECS.put(String.class, Codec.<String>of((out, value) -> out.writeString(value), Importer::readString));
        add(Byte.class, (out, value) -> out.writeByte(value), Importer::readByte);
        add(Boolean.class, (out, value) -> out.writeBoolean(value), Importer::readBoolean);
        add(Short.class, (out, value) -> out.writeShort(value), Importer::readShort);
        add(Character.class, (out, value) -> out.writeChar(value), Importer::readChar);
        add(Integer.class, (out, value) -> out.writeInt(value), Importer::readInt);
        add(Long.class, (out, value) -> out.writeLong(value), Importer::readLong);
        add(Float.class, (out, value) -> out.writeFloat(value), Importer::readFloat);
        add(Double.class, (out, value) -> out.writeDouble(value), Importer::readDouble);
    }

    private static void addArrays() {
        addArray(byte[].class, Exporter::writeByteArray, Importer::readByteArray);
        addArray(boolean[].class, Exporter::writeBooleanArray, Importer::readBooleanArray);
        addArray(short[].class, Exporter::writeShortArray, Importer::readShortArray);
        addArray(char[].class, Exporter::writeCharArray, Importer::readCharArray);
        addArray(int[].class, Exporter::writeIntArray, Importer::readIntArray);
        addArray(long[].class, Exporter::writeLongArray, Importer::readLongArray);
        addArray(float[].class, Exporter::writeFloatArray, Importer::readFloatArray);
        addArray(double[].class, Exporter::writeDoubleArray, Importer::readDoubleArray);
    }

    private static void addNumbers() {
        add(BigInteger.class, (out, value) -> out.writeByteArray(value.toByteArray()), in -> new BigInteger(bytes(in)));
        add(
                BigDecimal.class,
                (out, value) -> {
                    out.writeInt(value.scale());
                    out.writeByteArray(value.unscaledValue().toByteArray());
                },
                in -> {
                    int scale = in.readInt();
                    return new BigDecimal(new BigInteger(bytes(in)), scale);
                });
        add(
                OptionalInt.class,
                (out, value) -> {
                    out.writeBoolean(value.isPresent());
                    out.writeInt(value.orElse(0));
                },
                in -> {
                    boolean present = in.readPresence();
                    int value = in.readInt();
                    return present ? OptionalInt.of(value) : OptionalInt.empty();
                });
        add(
                OptionalLong.class,
                (out, value) -> {
                    out.writeBoolean(value.isPresent());
                    out.writeLong(value.orElse(0));
                },
                in -> {
                    boolean present = in.readPresence();
                    long value = in.readLong();
                    return present ? OptionalLong.of(value) : OptionalLong.empty();
                });
        add(
                OptionalDouble.class,
                (out, value) -> {
                    out.writeBoolean(value.isPresent());
                    out.writeDouble(value.orElse(0));
                },
                in -> {
                    boolean present = in.readPresence();
                    double value = in.readDouble();
                    return present ? OptionalDouble.of(value) : OptionalDouble.empty();
                });
    }

    private static void addTime() {
        add(
                Instant.class,
                (out, value) -> {
                    out.writeLong(value.getEpochSecond());
                    out.writeInt(value.getNano());
                },
                in -> Instant.ofEpochSecond(in.readLong(), nanos(in)));
        add(
                Duration.class,
                (out, value) -> {
                    out.writeLong(value.getSeconds());
                    out.writeInt(value.getNano());
                },
                in -> Duration.ofSeconds(in.readLong(), nanos(in)));
        add(
                Period.class,
                (out, value) -> {
                    out.writeInt(value.getYears());
                    out.writeInt(value.getMonths());
                    out.writeInt(value.getDays());
                },
                in -> Period.of(in.readInt(), in.readInt(), in.readInt()));
        add(LocalDate.class, ValueCodecs::writeDate, ValueCodecs::readDate);
        add(LocalTime.class, ValueCodecs::writeTime, ValueCodecs::readTime);
        add(LocalDateTime.class, ValueCodecs::writeDateTime, ValueCodecs::readDateTime);
        add(ZoneOffset.class, ValueCodecs::writeOffset, ValueCodecs::readOffset);
        add(ZoneId.class, (out, value) -> out.writeString(value.getId()), in -> ZoneId.of(string(in)));
        add(
                OffsetTime.class,
                (out, value) -> {
                    writeTime(out, value.toLocalTime());
                    writeOffset(out, value.getOffset());
                },
                in -> OffsetTime.of(readTime(in), readOffset(in)));
        add(
                OffsetDateTime.class,
                (out, value) -> {
                    writeDateTime(out, value.toLocalDateTime());
                    writeOffset(out, value.getOffset());
                },
                in -> OffsetDateTime.of(readDateTime(in), readOffset(in)));
        add(
                ZonedDateTime.class,
                (out, value) -> {
                    writeDateTime(out, value.toLocalDateTime());
                    writeOffset(out, value.getOffset());
                    out.writeString(value.getZone().getId());
                },
                // the rules of a zone may differ on the other side: the instant is kept
                in -> ZonedDateTime.ofInstant(readDateTime(in), readOffset(in), ZoneId.of(string(in))));
        add(Year.class, (out, value) -> out.writeInt(value.getValue()), in -> Year.of(in.readInt()));
        add(
                YearMonth.class,
                (out, value) -> {
                    out.writeInt(value.getYear());
                    out.writeByte((byte) value.getMonthValue());
                },
                in -> YearMonth.of(in.readInt(), in.readByte()));
        add(
                MonthDay.class,
                (out, value) -> {
                    out.writeByte((byte) value.getMonthValue());
                    out.writeByte((byte) value.getDayOfMonth());
                },
                in -> MonthDay.of(in.readByte(), in.readByte()));
    }

    private static void addOthers() {
        add(
                UUID.class,
                (out, value) -> {
                    out.writeLong(value.getMostSignificantBits());
                    out.writeLong(value.getLeastSignificantBits());
                },
                in -> new UUID(in.readLong(), in.readLong()));
        add(URI.class, (out, value) -> out.writeString(value.toString()), in -> URI.create(string(in)));
        add(ByteBuffer.class, ValueCodecs::writeBuffer, in -> ByteBuffer.wrap(bytes(in)));
    }

    private static int nanos(Importer in) {
        int nanos = in.readInt();
        if (nanos < 0 || nanos > 999_999_999) {
            throw new MalformedMessageException("a second has " + nanos + " nanoseconds");
        }
        return nanos;
    }

    private static byte[] bytes(Importer in) {
        byte[] bytes = in.readByteArray();
        if (bytes == null) {
            throw new MalformedMessageException("the bytes of a value are null");
        }
        return bytes;
    }

    private static String string(Importer in) {
        String value = in.readString();
        if (value == null) {
            throw new MalformedMessageException("the text of a value is null");
        }
        return value;
    }

    private static void writeDate(Exporter out, LocalDate value) {
        out.writeLong(value.toEpochDay());
    }

    private static LocalDate readDate(Importer in) {
        return LocalDate.ofEpochDay(in.readLong());
    }

    private static void writeTime(Exporter out, LocalTime value) {
        out.writeLong(value.toNanoOfDay());
    }

    private static LocalTime readTime(Importer in) {
        return LocalTime.ofNanoOfDay(in.readLong());
    }

    private static void writeDateTime(Exporter out, LocalDateTime value) {
        writeDate(out, value.toLocalDate());
        writeTime(out, value.toLocalTime());
    }

    private static LocalDateTime readDateTime(Importer in) {
        return LocalDateTime.of(readDate(in), readTime(in));
    }

    private static void writeOffset(Exporter out, ZoneOffset value) {
        out.writeInt(value.getTotalSeconds());
    }

    private static ZoneOffset readOffset(Importer in) {
        return ZoneOffset.ofTotalSeconds(in.readInt());
    }

    /** What lies between its position and its limit, which stay as they are. As an array of bytes. */
    private static void writeBuffer(Exporter out, ByteBuffer value) {
        ByteBuffer rest = value.duplicate();
        out.writeUnsigned(rest.remaining() + 1L);
        if (rest.hasArray()) {
            out.writeBytes(rest.array(), rest.arrayOffset() + rest.position(), rest.remaining());
            return;
        }
        byte[] part = new byte[Math.min(COPIED_BYTES, rest.remaining())];
        while (rest.hasRemaining()) {
            int count = Math.min(part.length, rest.remaining());
            rest.get(part, 0, count);
            out.writeBytes(part, 0, count);
        }
    }
}
