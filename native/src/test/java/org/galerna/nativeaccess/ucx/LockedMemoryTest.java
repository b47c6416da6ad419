package org.galerna.nativeaccess.ucx;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which transports of UCX need memory that may be locked. */
class LockedMemoryTest {
    @Test
    void transportsOverAdaptersAreRefusedAndNamed() {
        assertThatThrownBy(() -> LockedMemory.refuse(Map.of(
                        "rc_verbs", List.of("rxe0:1"),
                        "ud_verbs", List.of("rxe0:1"),
                        "tcp", List.of("eth0"))))
                .isInstanceOf(UcxException.class)
                .hasMessage(
                        "UCX: rc_verbs, ud_verbs on rxe0:1 need 64 MiB of memory that may be locked, and this process may"
                                + " lock less; have the limit (ulimit -l) raised to unlimited, or do without them by"
                                + " UCX_TLS=tcp,sm,self");
    }

    @Test
    void sharedMemoryAndSocketsNeedNone() {
        assertThatCode(() -> LockedMemory.refuse(Map.of(
                        "tcp",
                        List.of("eth0"),
                        "posix",
                        List.of("memory"),
                        "cma",
                        List.of("memory"),
                        "self",
                        List.of())))
                .doesNotThrowAnyException();
    }
}
