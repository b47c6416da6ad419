package org.galerna.nativeaccess.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** With signals that processes ignore unless they handle them; each test has its own. */
class JavaSignalsTest {
    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

    /** As a program does it. */
    private void handleAsProgram(String name) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object programs = Proxy.newProxyInstance(
                JavaSignalsTest.class.getClassLoader(),
                new Class<?>[] {handler},
                (proxy, method, arguments) -> method.getName().equals("handle") ? calls.add("program") : "programs");
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), programs);
    }

    private String callAfter(String name) throws ReflectiveOperationException, InterruptedException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        signal.getMethod("raise", signal)
                .invoke(null, signal.getConstructor(String.class).newInstance(name));
        String first = calls.poll(10, TimeUnit.SECONDS);
        assertThat(calls.poll(100, TimeUnit.MILLISECONDS)).isNull();
        return String.valueOf(first);
    }

    @Test
    void aSignalThatGalernaHandlesIsNotTakenForThePrograms() throws Exception {
        assertThat(JavaSignals.isOwn("WINCH")).isFalse();
        JavaSignals.handle("WINCH", () -> calls.add("own"));
        assertThat(callAfter("WINCH")).isEqualTo("own");
        assertThat(JavaSignals.isOwn("WINCH")).isTrue();
        assertThat(JavaSignals.isOfProgram("WINCH")).isFalse();
        assertThat(callAfter("WINCH")).isEqualTo("own");
    }

    @Test
    void theProgramMayTakeASignalOver() throws Exception {
        JavaSignals.handle("URG", () -> calls.add("own"));
        handleAsProgram("URG");
        assertThat(JavaSignals.isOfProgram("URG")).isTrue();
        assertThat(callAfter("URG")).isEqualTo("program");
    }

    @Test
    void aSignalThatTheProgramHandlesStaysWithIt() throws Exception {
        handleAsProgram("CONT");
        JavaSignals.handle("CONT", () -> calls.add("own"));
        assertThat(JavaSignals.isOwn("CONT")).isFalse();
        assertThat(JavaSignals.isOfProgram("CONT")).isTrue();
        assertThat(callAfter("CONT")).isEqualTo("program");
    }
}
