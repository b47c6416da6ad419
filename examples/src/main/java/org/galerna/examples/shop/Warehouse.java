package org.galerna.examples.shop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
            Period returns,
            ZonedDateTime due,
            BigDecimal price,
            BigInteger code,
            ByteBuffer label,
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
