package org.galerna.bench.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SocketPingPongTest {
    @ParameterizedTest
    @EnumSource
    void everyRoundTripIsRecorded(SocketPingPong.Kind kind) {
        Histogram roundTrips = LatencyRow.newHistogram();
        try (SocketPingPong pingPong = SocketPingPong.open(kind, 16 << 20)) {
            for (int bytes : new int[] {1, 4096, 3, 1 << 20, 16 << 20}) {
                pingPong.exchange(bytes, 3, roundTrips);
            }
        }
        assertThat(roundTrips.getTotalCount()).isEqualTo(15);
        assertThat(roundTrips.getMinValue()).isPositive();
    }

    @Test
    void measuresEveryKindAndSize() {
        List<LatencyRow> rows = SocketPingPong.measure(List.of(1, 1024), 0.02);
        assertThat(rows)
                .extracting(LatencyRow::name, LatencyRow::bytes)
                .containsExactly(
                        tuple("JVM socket, TCP loopback", 1),
                        tuple("JVM socket, TCP loopback", 1024),
                        tuple("JVM socket, UNIX domain", 1),
                        tuple("JVM socket, UNIX domain", 1024));
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.best()).isPositive().isLessThanOrEqualTo(row.median());
            assertThat(row.median()).isLessThanOrEqualTo(row.percentile99());
            assertThat(row.rounds()).isGreaterThanOrEqualTo(5);
        });
    }

    @Test
    void aRowIsHalfOfTheRoundTripInMicroseconds() {
        Histogram roundTrips = LatencyRow.newHistogram();
        for (int value = 1; value <= 1000; value++) {
            roundTrips.recordValue(1000L * value);
        }
        LatencyRow row = LatencyRow.of("test", 2500, roundTrips);
        assertThat(row.best()).isCloseTo(0.5, withPercentage(0.2));
        assertThat(row.median()).isCloseTo(250, withPercentage(0.2));
        assertThat(row.percentile99()).isCloseTo(495, withPercentage(0.2));
        assertThat(row.megabytesPerSecond()).isCloseTo(10, withPercentage(0.2));
    }
}
