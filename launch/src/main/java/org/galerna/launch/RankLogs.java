package org.galerna.launch;

import java.util.Arrays;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.galerna.launch.rank.RankContext;
import org.jspecify.annotations.Nullable;

/**
 * What the code of ranks calls where its source adds handlers to loggers, which the JVM has once: a handler gets what its
 * own rank logs, and a rank sees its own handlers and those of the JVM's configuration. Not meant to be called by hand.
 * Threads that work for no rank get the original.
 */
public final class RankLogs {
    private RankLogs() {}

    /** The handler of a rank, as the loggers of the JVM have it. */
    private static final class OfRank extends Handler {
        private final RankContext rank;
        private final Handler handler;

        OfRank(RankContext rank, Handler handler) {
            this.rank = rank;
            this.handler = handler;
        }

        @Override
        public void publish(LogRecord entry) {
            if (RankContext.current() == rank) {
                handler.publish(entry);
            }
        }

        @Override
        public boolean isLoggable(LogRecord entry) {
            return handler.isLoggable(entry);
        }

        @Override
        public void flush() {
            handler.flush();
        }

        @Override
        public void close() {
            handler.close();
        }
    }

    /** For {@link Logger#addHandler}. */
    public static void addHandler(Logger logger, @Nullable Handler handler) {
        RankContext rank = RankContext.current();
        logger.addHandler(rank == null || rank.isAlone() || handler == null ? handler : new OfRank(rank, handler));
    }

    /** For {@link Logger#removeHandler}. */
    public static void removeHandler(Logger logger, @Nullable Handler handler) {
        RankContext rank = RankContext.current();
        Stream.of(logger.getHandlers())
                .filter(each -> each instanceof OfRank own && own.rank == rank && own.handler == handler)
                .findFirst()
                .ifPresentOrElse(logger::removeHandler, () -> logger.removeHandler(handler));
    }

    /** For {@link Logger#getHandlers}. */
    public static Handler[] getHandlers(Logger logger) {
        RankContext rank = RankContext.current();
        return Arrays.stream(logger.getHandlers())
                .filter(each -> !(each instanceof OfRank own) || own.rank == rank)
                .map(each -> each instanceof OfRank own ? own.handler : each)
                .toArray(Handler[]::new);
    }
}
