package org.galerna.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which signals a program handles, in JVMs that were started in several ways. */
class ProgramSignalsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Sets handlers of the signals that are named, and says which are handled, twice. */
    static final class Program {
        private Program() {}

        public static void main(String[] names) throws ReflectiveOperationException {
            ProgramSignals signals = new ProgramSignals();
            Class<?> signal = Class.forName("sun.misc.Signal"); // the compiler warns of its name
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling =
                    Proxy.newProxyInstance(Program.class.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> null);
            for (String each : names) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(each), handling);
            }
            System.out.println(signals.handled() + " " + signals.handled());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "none    | TERM USR2 | signal 12 (SIGUSR2), signal 15 (SIGTERM)",
                "HUP INT | none      | ''",
            })
    void signalsThatAreIgnoredFromTheStartHaveNoHandlers(String ignored, String handlers, String expected)
            throws InterruptedException {
        handlers(ignored, handlers, expected);
    }

    @ParameterizedTest
    @Tag("slow")
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "none    | none      | ''",
                "HUP INT | INT       | ''",
                "HUP INT | TERM      | signal 15 (SIGTERM)",
            })
    void whetherSignalsAreIgnoredFromTheStartMakesNoOtherDifference(String ignored, String handlers, String expected)
            throws InterruptedException {
        handlers(ignored, handlers, expected);
    }

    private static void handlers(String ignored, String handlers, String expected) throws InterruptedException {
        List<String> command = new ArrayList<>();
        if (ignored != null) {
            command.addAll(List.of("sh", "-c", "trap '' " + ignored + "; exec \"$@\"", "sh"));
        }
        command.addAll(ChildProcess.java(
                List.of("--enable-native-access=ALL-UNNAMED"),
                Program.class,
                handlers == null ? List.of() : List.of(handlers.split(" "))));
        try (ChildProcess process = ChildProcess.start(command)) {
            assertThat(process.awaitExit(LIMIT)).as(process::err).isZero();
            assertThat(process.out()).isEqualToIgnoringNewLines("[" + expected + "] [" + expected + "]");
        }
    }
}
