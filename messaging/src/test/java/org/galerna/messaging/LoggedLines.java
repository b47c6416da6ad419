package org.galerna.messaging;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What nodes of this process log meanwhile. */
public final class LoggedLines implements AutoCloseable {
    private final Logger logger = Logger.getLogger(MessagingNode.class.getName());
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler collector = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            lines.add(entry.getThrown() == null ? entry.getMessage() : entry.getMessage() + ": " + entry.getThrown());
        }

        @Override
        public void flush() {
            // nothing is kept
        }

        @Override
        public void close() {
            // nothing is open
        }
    };

    /** From now on. */
    public LoggedLines() {
        logger.addHandler(collector);
    }

    /** So far. */
    public List<String> all() {
        return List.copyOf(lines);
    }

    /** Those so far that have all these texts. */
    public List<String> with(String... texts) {
        return lines.stream()
                .filter(line -> List.of(texts).stream().allMatch(line::contains))
                .toList();
    }

    @Override
    public void close() {
        logger.removeHandler(collector);
    }
}
