package org.galerna.examples.shop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What nodes of the shop ask each other. */
interface Warehouse {
    /** How a parcel goes. */
    sealed interface Route {
        record Street(String name, int number) implements Route {}

        record Pickup(UUID shop) implements Route {}

        enum Digital implements Route {
            MAIL,
            DOWNLOAD
        }
    }

    /** Two things. */
    record Pair<A, B extends @Nullable Object>(A first, B second) {}

    /** Primitives, their boxes, and numbers that may be missing. */
    record Measures(
            boolean fragile,
            byte grade,
            short shelf,
            char hall,
            int floor,
            long grams,
            float width,
            double height,
            Boolean insured,
            Byte boxedGrade,
            Short boxedShelf,
            Character boxedHall,
            Integer boxedFloor,
            Long boxedGrams,
            Float boxedWidth,
            Double boxedHeight,
            OptionalInt pieces,
            OptionalLong serial,
            OptionalDouble chill) {}

    /** Times, and collections that keep an order. */
    record Journey(
            LocalDateTime handedOver,
            OffsetTime closes,
            OffsetDateTime received,
            ZonedDateTime due,
            ZoneId zone,
            ZoneOffset offset,
            Period returns,
            Year year,
            YearMonth month,
            MonthDay holiday,
            LocalTime opens,
            Collection<String> seen,
            SequencedCollection<String> depots,
            SequencedSet<String> drivers,
            SequencedMap<String, Integer> scans) {}

    /** Something of everything that a record may have. */
    @SuppressWarnings({"ArrayRecordComponent", "NullableOptional"})
    record Parcel(
            UUID id,
            @Nullable String note,
            int @Nullable [][] sizes,
            List<Pair<String, @Nullable Integer>> items,
            Set<Route> routes,
            Map<LocalDate, List<Instant>> stops,
            Optional<Duration> delay,
            BigDecimal price,
            BigInteger code,
            ByteBuffer label,
            URI tracking,
            Measures measures,
            Journey journey,
            @Nullable Parcel inside) {}

    /** There is not enough of it. */
    class SoldOut extends Exception {
        private static final long serialVersionUID = 1L;

        SoldOut(String item) {
            super(item);
        }
    }

    /** Takes items; returns how many are left. */
    int take(String item, int count) throws SoldOut;

    /** Sends a parcel back as it has come. */
    Parcel echo(Parcel parcel);

    /** All that is there. */
    CompletableFuture<Map<String, Integer>> stock();
}
