package org.galerna.link.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class OwnLogTest {
    private static final String NAME = "org.galerna.test.OwnLog";

    private static String printedBy(Runnable task) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            task.run();
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aRecordIsOneLineInTheStyleOfEverythingElse() {
        System.Logger log = OwnLog.of(NAME);
        assertThat(printedBy(() -> log.log(Level.INFO, "rank 0 reaches rank 1 by shm")))
                .isEqualTo("galerna: rank 0 reaches rank 1 by shm\n");
        assertThat(printedBy(() -> log.log(Level.WARNING, "{0} is lost", "rank 3")))
                .isEqualTo("galerna: rank 3 is lost\n");
        assertThat(printedBy(() -> log.log(Level.WARNING, "no luck", new IllegalStateException("why"))))
                .isEqualTo("galerna: no luck: java.lang.IllegalStateException: why\n");
        assertThat(printedBy(() -> log.log(Level.DEBUG, "for nobody"))).isEmpty();
    }

    /** What a program's logging does with a record. */
    private static Handler handler(Consumer<LogRecord> action) {
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                action.accept(entry);
            }

            @Override
            public void flush() {
                // nothing is kept back
            }

            @Override
            public void close() {
                // as above
            }
        };
    }

    private static void with(Handler handler, Runnable task) {
        Logger parent = Logger.getLogger("org.galerna.test");
        parent.addHandler(handler);
        parent.setUseParentHandlers(false);
        try {
            task.run();
        } finally {
            parent.removeHandler(handler);
            parent.setUseParentHandlers(true);
        }
    }

    @Test
    void aProgramWithLoggingOfItsOwnGetsTheRecords() {
        List<String> records = new ArrayList<>();
        with(handler(entry -> records.add(entry.getMessage())), () -> {
            assertThat(printedBy(() -> OwnLog.of(NAME).log(Level.INFO, "a record")))
                    .isEmpty();
            assertThat(records).containsExactly("a record");
        });
    }

    @Test
    void whatTheLoggingOfAProgramThrowsEndsInTheLog() {
        System.Logger log = OwnLog.of(NAME);
        AtomicInteger records = new AtomicInteger();
        Handler hostile = handler(_ -> {
            records.incrementAndGet();
            throw new StackOverflowError("hostile");
        });
        with(hostile, () -> {
            log.log(Level.WARNING, "a record");
            log.log(Level.WARNING, "{0} is lost", "rank 3");
            log.log(Level.WARNING, "no luck", new IllegalStateException("why"));
            log.log(Level.WARNING, () -> "a record", new IllegalStateException("why"));
        });
        assertThat(records).hasValue(4);
    }
}
