package org.galerna.examples.shop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.galerna.examples.shop.Warehouse.Journey;
import org.galerna.examples.shop.Warehouse.Measures;
import org.galerna.examples.shop.Warehouse.Pair;
import org.galerna.examples.shop.Warehouse.Parcel;
import org.galerna.examples.shop.Warehouse.Route;
import org.jspecify.annotations.Nullable;

/** A parcel with everything that a record may have. */
final class Parcels {
    private static final LocalDate DAY = LocalDate.of(2030, 1, 2);
    private static final LocalTime NOON = LocalTime.NOON;
    private static final ZoneOffset OFFSET = ZoneOffset.ofHours(1);

    private Parcels() {}

    static Parcel parcel(@Nullable Parcel inside) {
        return new Parcel(
                new UUID(1, 2),
                null,
                new int[][] {{1, 2}, {}},
                List.of(new Pair<>("tea", 2), new Pair<>("air", null)),
                Set.of(new Route.Street("Main Street", 1), new Route.Pickup(new UUID(3, 4)), Route.Digital.MAIL),
                Map.of(LocalDate.EPOCH, List.of(Instant.EPOCH)),
                Optional.of(Duration.ofMinutes(5)),
                new BigDecimal("9.90"),
                BigInteger.TWO.pow(100),
                ByteBuffer.wrap("label".getBytes(StandardCharsets.UTF_8)),
                URI.create("https://shop.example/1"),
                measures(),
                journey(),
                inside);
    }

    private static Measures measures() {
        return new Measures(
                true,
                (byte) 1,
                (short) 2,
                'c',
                4,
                5L,
                6f,
                7d,
                false,
                (byte) -1,
                (short) -2,
                'C',
                -4,
                -5L,
                -6f,
                -7d,
                OptionalInt.of(8),
                OptionalLong.empty(),
                OptionalDouble.of(9));
    }

    private static Journey journey() {
        return new Journey(
                DAY.atTime(NOON),
                OffsetTime.of(NOON, OFFSET),
                OffsetDateTime.of(DAY, NOON, OFFSET),
                ZonedDateTime.of(DAY, NOON, ZoneId.of("Europe/Berlin")),
                ZoneId.of("Europe/Berlin"),
                OFFSET,
                Period.ofDays(14),
                Year.of(2030),
                YearMonth.of(2030, 1),
                MonthDay.of(2, 29),
                NOON,
                List.of("here", "there"),
                List.of("first", "last"),
                new LinkedHashSet<>(List.of("b", "a")),
                new LinkedHashMap<>(Map.of("depot", 1)));
    }

    /** Whether all of it has come as it was. Arrays are compared by what is in them. */
    static boolean areSame(Parcel one, Parcel other) {
        Parcel inside = one.inside();
        return Arrays.deepEquals(one.sizes(), other.sizes())
                && one.id().equals(other.id())
                && Objects.equals(one.note(), other.note())
                && one.items().equals(other.items())
                && one.routes().equals(other.routes())
                && one.stops().equals(other.stops())
                && one.delay().equals(other.delay())
                && one.price().compareTo(other.price()) == 0
                && one.code().equals(other.code())
                && one.label().equals(other.label())
                && one.tracking().equals(other.tracking())
                && one.measures().equals(other.measures())
                && one.journey().equals(other.journey())
                && (inside == null ? other.inside() == null : areSame(inside, Objects.requireNonNull(other.inside())));
    }
}
