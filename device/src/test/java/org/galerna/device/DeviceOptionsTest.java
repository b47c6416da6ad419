package org.galerna.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeviceOptionsTest {
    @AfterEach
    void clearProperties() {
        System.clearProperty(DeviceOptions.EAGER_LIMIT);
        System.clearProperty(DeviceOptions.EAGER_CREDIT);
    }

    @Test
    void sharesTheCreditOutAmongTheRanks() {
        DeviceOptions options = DeviceOptions.DEFAULT;
        assertThat(options.creditFor(2)).isGreaterThanOrEqualTo(options.creditFor(64));
        for (int ranks : new int[] {1, 2, 17, 64, 512}) {
            assertThat(options.creditFor(ranks) * ranks).isLessThanOrEqualTo(DeviceOptions.TOTAL_CREDIT);
            assertThat(options.creditFor(ranks)).isGreaterThan(options.eagerLimit());
        }
        assertThat(new DeviceOptions(100, 777).creditFor(64)).isEqualTo(777);
    }

    @Test
    void readsSystemProperties() {
        assertThat(DeviceOptions.fromSystemProperties()).isEqualTo(DeviceOptions.DEFAULT);
        System.setProperty(DeviceOptions.EAGER_LIMIT, "123");
        System.setProperty(DeviceOptions.EAGER_CREDIT, "4567");
        assertThat(DeviceOptions.fromSystemProperties()).isEqualTo(new DeviceOptions(123, 4567));
    }

    @Test
    void namesTheOptionThatIsWrong() {
        System.setProperty(DeviceOptions.EAGER_LIMIT, "8k");
        assertThatIllegalArgumentException()
                .isThrownBy(DeviceOptions::fromSystemProperties)
                .withMessageContaining(DeviceOptions.EAGER_LIMIT)
                .withMessageContaining("8k");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DeviceOptions(-1, 0))
                .withMessageContaining(DeviceOptions.EAGER_LIMIT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DeviceOptions(0, -1))
                .withMessageContaining(DeviceOptions.EAGER_CREDIT);
    }
}
