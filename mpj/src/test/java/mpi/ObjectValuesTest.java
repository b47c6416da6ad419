package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Insets;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.color.ColorSpace;
import java.awt.color.ICC_Profile;
import java.awt.font.TextAttribute;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.beans.PropertyChangeSupport;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.sql.JDBCType;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.text.ChoiceFormat;
import java.text.DateFormat;
import java.text.DateFormatSymbols;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.time.DayOfWeek;
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
import java.time.chrono.ChronoLocalDate;
import java.time.chrono.HijrahDate;
import java.time.chrono.IsoChronology;
import java.time.chrono.JapaneseDate;
import java.time.chrono.MinguoDate;
import java.time.chrono.ThaiBuddhistDate;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.ValueRange;
import java.time.temporal.WeekFields;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.Stack;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import javax.security.auth.x500.X500Principal;
import javax.sql.rowset.serial.SerialBlob;
import javax.xml.datatype.DatatypeConfigurationException;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.namespace.QName;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;
import org.xml.sax.SAXParseException;

/** Values of the JDK, and of programs made of them, that arrive without any option. */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete", "IdentityHashMapUsage"}) // programs send them
class ObjectValuesTest {
    enum Shape {
        ROUND,
        SQUARE {
            @Override
            int corners() {
                return 4;
            }
        };

        int corners() {
            return 0;
        }
    }

    record Sample(double value, List<String> labels, Shape shape) implements Serializable {}

    /** What is received equals what was sent. */
    private static List<Object> equalValues() throws IOException {
        List<Object> values = new ArrayList<>(List.of(
                "text",
                'c',
                true,
                (byte) 1,
                (short) 2,
                3,
                4L,
                5.0f,
                6.0,
                String.class,
                int.class,
                double[][].class,
                Runnable.class,
                Thread.class,
                new BigInteger("123456789012345678901234567890"),
                new BigDecimal("1.50"),
                new MathContext(5),
                RoundingMode.HALF_UP,
                new File("a/b"),
                MethodType.methodType(int.class, String.class),
                ElementType.FIELD,
                StandardOpenOption.READ,
                StandardProtocolFamily.INET6,
                Shape.SQUARE,
                new Sample(1.5, List.of("a"), Shape.SQUARE),
                Locale.GERMANY,
                Locale.forLanguageTag("th-TH-u-ca-buddhist"),
                Currency.getInstance("EUR"),
                UUID.randomUUID(),
                new Date(5),
                TimeZone.getTimeZone("Europe/Berlin"),
                TimeZone.getTimeZone("GMT+3"),
                new SimpleTimeZone(3600000, "here"),
                new GregorianCalendar(2026, Calendar.MAY, 1),
                Calendar.getInstance(Locale.forLanguageTag("th-TH-u-ca-buddhist")),
                Calendar.getInstance(Locale.forLanguageTag("ja-JP-u-ca-japanese")),
                new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT),
                DateFormat.getDateTimeInstance(),
                NumberFormat.getCurrencyInstance(Locale.US),
                NumberFormat.getCompactNumberInstance(Locale.US, NumberFormat.Style.SHORT),
                new DecimalFormat("0.00"),
                new MessageFormat("{0,number} of {1,date}"),
                new ChoiceFormat("0#none|1#one"),
                DecimalFormatSymbols.getInstance(Locale.FRANCE),
                DateFormatSymbols.getInstance(Locale.FRANCE),
                new Timestamp(7),
                new java.sql.Date(8),
                new Time(9),
                JDBCType.BLOB,
                URI.create("https://example.org/a?b#c"),
                InetAddress.getByAddress("here", new byte[] {127, 0, 0, 1}),
                InetAddress.getByAddress(new byte[16]),
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 80),
                InetSocketAddress.createUnresolved("example.org", 80),
                UnixDomainSocketAddress.of("/tmp/a"),
                URI.create("file:/tmp/a").toURL(),
                Level.WARNING,
                QName.valueOf("{space}name"),
                new X500Principal("CN=a"),
                new SecretKeySpec(new byte[16], "AES"),
                Duration.ofMillis(3),
                Instant.EPOCH,
                LocalDate.EPOCH,
                LocalTime.NOON,
                LocalDateTime.MIN,
                ZonedDateTime.of(LocalDateTime.MIN, ZoneId.of("Europe/Berlin")),
                OffsetDateTime.MAX,
                OffsetTime.MIN,
                ZoneOffset.ofHours(3),
                ZoneId.of("Asia/Tokyo"),
                Year.of(2026),
                YearMonth.of(2026, 5),
                MonthDay.of(5, 1),
                Period.ofDays(3),
                DayOfWeek.FRIDAY,
                ChronoUnit.DAYS,
                ChronoField.YEAR,
                IsoFields.QUARTER_OF_YEAR,
                ValueRange.of(1, 2),
                WeekFields.ISO,
                ZoneId.of("Europe/Berlin").getRules(),
                IsoChronology.INSTANCE,
                HijrahDate.of(1447, 1, 1),
                JapaneseDate.of(2026, 1, 1),
                MinguoDate.of(100, 1, 1),
                ThaiBuddhistDate.of(2569, 1, 1)));
        values.addAll(containers());
        values.addAll(graphics());
        return values;
    }

    private static List<Object> containers() {
        BitSet bits = new BitSet();
        bits.set(70);
        Properties properties = new Properties();
        properties.setProperty("a", "b");
        Stack<Integer> stack = new Stack<>();
        stack.push(1);
        EnumMap<Shape, Integer> shapes = new EnumMap<>(Map.of(Shape.SQUARE, 1));
        List<Integer> three = List.of(1, 2, 3);
        return List.of(
                new ArrayList<>(three),
                new LinkedList<>(three),
                new Vector<>(three),
                stack,
                new HashSet<>(three),
                new LinkedHashSet<>(three),
                new TreeSet<>(three),
                new TreeSet<>(three).descendingSet(),
                new TreeSet<>(three).headSet(2),
                new HashMap<>(Map.of(1, 2)),
                new LinkedHashMap<>(Map.of(1, 2)),
                new TreeMap<>(Map.of(1, 2)),
                new TreeMap<>(Map.of(1, 2)).descendingMap(),
                new TreeMap<>(Map.of(1, 2)).tailMap(0),
                new IdentityHashMap<>(Map.of(Shape.ROUND, Shape.SQUARE)),
                new Hashtable<>(Map.of(1, 2)),
                properties,
                bits,
                shapes,
                EnumSet.of(Shape.ROUND),
                EnumSet.allOf(ChronoUnit.class),
                List.of(),
                List.of(1),
                three,
                Set.of(1),
                Set.of(1, 2, 3),
                Map.of(),
                Map.of(1, 2),
                Map.of(1, 2, 3, 4),
                Map.entry(1, 2).getKey(),
                new java.util.AbstractMap.SimpleEntry<>(1, 2),
                List.copyOf(new ArrayList<>(three)),
                Stream.of(1, 2).toList(),
                Arrays.asList(1, null, 3),
                Collections.emptyList(),
                Collections.emptyMap(),
                Collections.singletonList(1),
                Collections.singletonMap(1, 2),
                Collections.nCopies(3, "a"),
                Collections.unmodifiableList(new ArrayList<>(three)),
                Collections.unmodifiableMap(new TreeMap<>(Map.of(1, 2))),
                Collections.unmodifiableSortedSet(new TreeSet<>(three)),
                Collections.synchronizedList(new ArrayList<>(three)),
                Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
                Collections.checkedList(new ArrayList<>(three), Integer.class),
                Collections.newSetFromMap(new HashMap<>()),
                new ConcurrentHashMap<>(Map.of(1, 2)),
                new ConcurrentSkipListMap<>(Map.of(1, 2)),
                ConcurrentHashMap.newKeySet(),
                new CopyOnWriteArrayList<>(three),
                TimeUnit.SECONDS);
    }

    private static List<Object> graphics() {
        return List.of(
                new Point(1, 2),
                new Dimension(1, 2),
                new Rectangle(1, 2, 3, 4),
                new Insets(1, 2, 3, 4),
                new Color(1, 2, 3),
                new Font("Serif", Font.BOLD, 12),
                TextAttribute.FAMILY,
                new AffineTransform(1, 2, 3, 4, 5, 6),
                new Point2D.Double(1, 2),
                new Rectangle2D.Float(1, 2, 3, 4));
    }

    /** What is received reads as what was sent, or is known by another sign. */
    private static List<Object> otherValues() throws Exception {
        LogRecord record = new LogRecord(Level.INFO, "message {0}");
        record.setParameters(new Object[] {1});
        record.setThrown(new IOException("cause"));
        SQLException chained = new SQLException("first", "S1", 3);
        chained.setNextException(new SQLException("second"));
        Exception suppressing = new IllegalStateException("outer", new NoSuchFileException("a", "b", "c"));
        suppressing.addSuppressed(new UncheckedIOException(new IOException("inner")));
        DatatypeFactory xml = xml();
        return List.of(
                new Random(3),
                new AtomicLong(3),
                new AtomicReference<>("a"),
                new AtomicIntegerArray(new int[] {1, 2}),
                new LongAdder(),
                new DoubleAdder(),
                new ReentrantReadWriteLock(),
                new PriorityQueue<>(List.of(3, 1, 2)),
                new PriorityQueue<>(Comparator.<Integer>reverseOrder()),
                new ArrayDeque<>(List.of(1, 2)),
                new ConcurrentLinkedQueue<>(List.of(1, 2)),
                new LinkedBlockingDeque<>(List.of(1, 2)),
                Pattern.compile("a+"),
                record,
                chained,
                suppressing,
                new ArithmeticException("/ by zero"),
                new StackOverflowError(),
                new SAXParseException("malformed", "", "", 1, 2),
                new javax.naming.NameNotFoundException("name"),
                String.CASE_INSENSITIVE_ORDER,
                Comparator.naturalOrder(),
                Collections.reverseOrder(),
                Comparator.nullsFirst(Comparator.<Integer>naturalOrder()),
                ChronoLocalDate.timeLineOrder(),
                Map.Entry.comparingByValue(),
                new Path2D.Double(new Rectangle(1, 2, 3, 4)),
                new Line2D.Double(1, 2, 3, 4),
                new Color(ColorSpace.getInstance(ColorSpace.CS_GRAY), new float[] {0.5f}, 1),
                ICC_Profile.getInstance(ColorSpace.CS_sRGB),
                new PropertyChangeSupport("bean"),
                new SerialBlob(new byte[] {1, 2}),
                xml.newXMLGregorianCalendar("2026-05-01T00:00:00Z"),
                xml.newDuration(5),
                xml.newDurationDayTime(5),
                new IdentityHashMap<>(Map.of("a", "b")),
                new int[][] {{1}, {2, 3}},
                new Object[] {1, "a", null, new Object[] {Shape.SQUARE}},
                new Sample[] {new Sample(1, List.of(), Shape.ROUND)},
                new Runnable[1],
                new Number[] {1, 2.0});
    }

    private static DatatypeFactory xml() throws DatatypeConfigurationException {
        return DatatypeFactory.newInstance();
    }

    private static Object sent(Object value) {
        byte[] bytes = MPI.COMM_WORLD.Object_Serialize(new Object[] {value}, 0, 1, MPI.OBJECT);
        Object[] into = new Object[1];
        MPI.COMM_WORLD.Object_Deserialize(into, bytes, 0, 1, MPI.OBJECT);
        return into[0];
    }

    @Test
    void plainValuesArriveAsTheyWereSent() {
        Ranks.run(1, (rank, size) -> {
            for (Object value : equalValues()) {
                Object received = sent(value);
                if (value instanceof IdentityHashMap || value instanceof Font) {
                    assertThat(received).hasToString(value.toString());
                } else {
                    assertThat(received).as(value.getClass().getName()).isEqualTo(value);
                }
                assertThat(received).hasSameClassAs(value);
            }
        });
    }

    @Test
    void valuesWithoutEqualityArriveAsTheirClass() {
        Ranks.run(1, (rank, size) -> {
            for (Object value : otherValues()) {
                Object received = sent(value);
                if (!value.getClass().isHidden()) { // lambdas
                    assertThat(received).hasSameClassAs(value);
                }
                if (value instanceof Throwable thrown) {
                    assertThat(((Throwable) received).getStackTrace()).isEqualTo(thrown.getStackTrace());
                    assertThat(((Throwable) received).getSuppressed()).hasSameSizeAs(thrown.getSuppressed());
                }
            }
            assertThat(((Random) sent(new Random(3))).nextInt()).isEqualTo(new Random(3).nextInt());
            assertThat(((Object[]) sent(new Object[] {1, "a"}))).containsExactly(1, "a");
        });
    }

    /** A stroke is a value without being serializable: the sender is told, and not the receiver. */
    @Test
    void whatIsNotSerializableIsNamedAtTheSender() {
        Ranks.run(1, (rank, size) -> {
            for (Object value : List.of(new BasicStroke(), new ArrayList<>(List.of(1)).subList(0, 1))) {
                assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> sent(value)))
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining(value.getClass().getName());
            }
        });
    }
}
