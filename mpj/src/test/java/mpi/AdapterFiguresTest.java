package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
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
    private static String figures(List<String> options, String... parts) throws InterruptedException {
        List<String> all = new ArrayList<>(options);
        all.add("-Dgalerna.verbs.gid.index=1");
        String figures = RdmaGuest.prepare(false)
                .withCycleCounter()
                .run(RdmaGuest.java(all, AdapterFigures.class, List.of(parts)));
        System.out.println(figures);
        return figures;
    }

    @Test
    void figuresAreTakenInAVirtualMachine() throws InterruptedException {
        assertThat(figures(List.of(), "latency", "bandwidth", "inline", "rendezvous", "registration"))
                .contains("latency of 1 byte", "bandwidth at 1024 KiB", "registration.cache=0");
    }

    /** Which takes minutes to compile what a message needs, and has crashed there: then it is to be run once more. */
    @Test
    void figuresAreTakenWithTheBetterCompiler() throws InterruptedException {
        List<String> options = List.of("-XX:TieredStopAtLevel=4", "-XX:UseAVX=0", "-Dfigures.warmUp=100");
        assertThat(figures(options, "latency")).contains("latency of 1 byte");
        assertThat(figures(options, "bandwidth")).contains("bandwidth at 1024 KiB");
    }
}
