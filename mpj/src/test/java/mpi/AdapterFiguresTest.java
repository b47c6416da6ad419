package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Prints {@link AdapterFigures}, where that is asked for: {@code mvn test -Dtest=AdapterFiguresTest -Dfigures=true}. */
@Tag("slow")
@Timeout(3000)
@EnabledIfSystemProperty(named = "figures", matches = "true")
class AdapterFiguresTest {
    @Test
    void figuresAreTakenInAVirtualMachine() throws InterruptedException {
        String figures = RdmaGuest.prepare(false)
                .withCycleCounter()
                .run(RdmaGuest.java(List.of("-Dgalerna.verbs.gid.index=1"), AdapterFigures.class, List.of()));
        System.out.println(figures);
        assertThat(figures).contains("latency of 1 byte", "bandwidth at 1024 KiB", "registration.cache=0");
    }
}
