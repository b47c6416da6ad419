package org.galerna.nativeaccess.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LockedMemoryLimitTest {
    @Test
    void theLimitIsTheOneThatHolds() {
        assertThat(LockedMemoryLimit.of(List.of(
                        "Max processes             95983                95983                processes",
                        "Max locked memory         65536                8388608              bytes")))
                .hasValue(65536);
        assertThat(LockedMemoryLimit.of(
                        List.of("Max locked memory         unlimited            unlimited            bytes")))
                .hasValue(LockedMemoryLimit.NONE);
        assertThat(LockedMemoryLimit.of(List.of())).isEmpty();
    }

    @Test
    void aLineThatNamesItSaysWhatToDo() {
        assertThat(LockedMemoryLimit.hint(65536))
                .isEqualTo(
                        "; this process may lock 64 KiB of memory: if that is too little, have the limit (ulimit -l) raised"
                                + " to unlimited");
        assertThat(LockedMemoryLimit.hint(LockedMemoryLimit.NONE)).isEmpty();
    }
}
