package org.galerna.launch.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import org.galerna.link.CommunicationException;
import org.junit.jupiter.api.Test;

class StackTracesTest {
    private static final StackTraceElement[] NONE = {};

    private static <T extends Throwable> T bare(T exception) {
        exception.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("a.Main", "run", "Main.java", 7),
            new StackTraceElement("a.Main", "main", null, -1),
            new StackTraceElement("jdk.internal.reflect.DirectMethodHandleAccessor", "invoke", "X.java", 1),
            new StackTraceElement("java.lang.reflect.Method", "invoke", "Method.java", 1),
            new StackTraceElement("org.galerna.launch.program.MainMethod", "run", "MainMethod.java", 1),
            new StackTraceElement("java.lang.Thread", "run", "Thread.java", 1),
        });
        return exception;
    }

    @Test
    void theLaunchersCallsAreLeftOut() {
        assertThat(StackTraces.text(bare(new IllegalStateException("bad")))).isEqualTo("""
                java.lang.IllegalStateException: bad
                    at a.Main.run(Main.java:7)
                    at a.Main.main(unknown source)
                """);
    }

    @Test
    void causesAndSuppressedExceptionsAreShownEvenInCircles() {
        Exception inner = new Exception("inner");
        Exception outer = new Exception("outer", inner);
        inner.initCause(outer);
        outer.addSuppressed(new Exception("side"));
        outer.setStackTrace(NONE);
        inner.setStackTrace(NONE);
        outer.getSuppressed()[0].setStackTrace(NONE);
        assertThat(StackTraces.text(outer)).isEqualTo("""
                java.lang.Exception: outer
                    Suppressed: java.lang.Exception: side
                Caused by: java.lang.Exception: inner
                Caused by: [see above: java.lang.Exception: outer]
                """);
    }

    private static <T extends Throwable> T inMpi(T exception) {
        exception.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("java.util.Objects", "requireNonNull", "Objects.java", 1),
            new StackTraceElement("org.galerna.device.matching.MatchingDevice", "send", "MatchingDevice.java", 1),
            new StackTraceElement("mpi.Comm", "Send", "Comm.java", 1),
            new StackTraceElement("java.lang.Iterable", "forEach", "Iterable.java", 2),
            new StackTraceElement("a.Main", "main", "Main.java", 7),
        });
        return exception;
    }

    @Test
    void galernasOwnCallsAndCausesAreForThoseWhoAsk() {
        Exception failure = inMpi(new Exception("the buffer is null", inMpi(new CommunicationException("inner"))));
        assertThat(StackTraces.text(failure, false)).isEqualTo("""
                java.lang.Exception: the buffer is null
                    at java.lang.Iterable.forEach(Iterable.java:2)
                    at a.Main.main(Main.java:7)
                """);
        assertThat(StackTraces.text(failure, true))
                .contains("    at mpi.Comm.Send(Comm.java:1)\n", "Caused by: org.galerna.link.CommunicationException");
    }

    @Test
    void anExceptionOfTheProgramInsideOfGalernasIsShown() {
        Exception ofProgram = new ArithmeticException("/ by zero");
        ofProgram.setStackTrace(NONE);
        Exception failure = inMpi(new Exception("outer", inMpi(new CommunicationException("inner", ofProgram))));
        assertThat(StackTraces.text(failure, false)).endsWith("Caused by: java.lang.ArithmeticException: / by zero\n");
    }

    @Test
    void theFirstLineNamesTheCauseOfAnErrorThatSaysNothing() {
        Throwable cause = new NumberFormatException("For input string: \"x1\"");
        cause.setStackTrace(NONE);
        Throwable error = new ExceptionInInitializerError(cause);
        error.setStackTrace(NONE);
        assertThat(StackTraces.text(error, false)).isEqualTo("""
                java.lang.ExceptionInInitializerError, caused by java.lang.NumberFormatException: For input string: "x1"
                Caused by: java.lang.NumberFormatException: For input string: "x1"
                """);
    }

    @Test
    void deepStacksAreCutOff() {
        StackTraceElement call = new StackTraceElement("a.Main", "down", "Main.java", 7);
        Throwable error = new StackOverflowError();
        error.setStackTrace(Collections.nCopies(1000, call).toArray(NONE));
        assertThat(StackTraces.text(error, false)).hasLineCount(32).endsWith("    ... and 970 more calls\n");
    }

    @Test
    void anExceptionWithoutAWorkingMessageIsStillReported() {
        RuntimeException broken = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException();
            }
        };
        assertThat(StackTraces.text(broken)).contains("its message cannot be had");
    }

    @Test
    void theProgramsOwnCallIsFound() {
        StackTraceElement[] frames = {
            new StackTraceElement("java.lang.Object", "wait", "Object.java", 1),
            new StackTraceElement("org.galerna.device.matching.MatchingDevice", "recv", "MatchingDevice.java", 1),
            new StackTraceElement("mpi.Comm", "Recv", "Comm.java", 1),
            new StackTraceElement("org.example.Main", "exchange", "Main.java", 12),
            new StackTraceElement("org.example.Main", "main", "Main.java", 3),
        };
        assertThat(StackTraces.programCall(frames)).isEqualTo("org.example.Main.exchange(Main.java:12)");
        assertThat(StackTraces.ofProgramInCall(frames)).hasSize(3);
        assertThat(StackTraces.programCall(NONE)).isEmpty();
    }

    @Test
    void whatRunsASourceFileIsLeftOut() {
        StackTraceElement[] frames = {
            new StackTraceElement("Hang", "main", "Hang.java", 6),
            new StackTraceElement(
                    "java.lang.invoke.LambdaForm$DMH/0x000000009806c000", "invokeStatic", "LambdaForm$DMH", -1),
            new StackTraceElement("java.lang.reflect.Method", "invoke", "Method.java", 565),
            new StackTraceElement("com.sun.tools.javac.launcher.SourceLauncher", "execute", "SourceLauncher.java", 258),
            new StackTraceElement("com.sun.tools.javac.launcher.SourceLauncher", "main", "SourceLauncher.java", 76),
        };
        assertThat(StackTraces.ofProgram(frames)).containsExactly(frames[0]);
    }

    @Test
    void timesAreReadable() {
        assertThat(ReportText.seconds(Duration.ofSeconds(5))).isEqualTo("5 s");
        assertThat(ReportText.seconds(Duration.ofMillis(5017))).isEqualTo("5 s");
        assertThat(ReportText.seconds(Duration.ofMillis(480))).isEqualTo("0.5 s");
    }
}
