package org.galerna.link.process;

import java.lang.reflect.Method;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * What the library has to say: one line each, {@code galerna: } first, on the standard error stream. A program that has set
 * its logging up, in whatever way, gets records there instead. Levels are those of the program's logging in any case. Whatever
 * the program's logging throws ends here: what the library does goes on as if the line had been written.
 */
public final class OwnLog implements System.Logger {
    /** System property: whether jobs say at their start what they have chosen, and failures show Galerna's own calls. */
    public static final String VERBOSE = "galerna.verbose";

    private static final String PREFIX = "galerna: ";
    private static final String JDK_LOGGING = "java.util.logging.";

    private final String name;

    private OwnLog(String name) {
        this.name = name;
    }

    /** Of that name, where programs set levels and handlers. Nothing is looked up before there is something to say. */
    public static System.Logger of(String name) {
        return new OwnLog(name);
    }

    /** Whether users want to know more than they need. */
    public static boolean isVerbose() {
        return Boolean.getBoolean(VERBOSE);
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        try {
            return ofProgram().isLoggable(level);
        } catch (Throwable ofItsLogging) {
            return false;
        }
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
        try {
            if (isSetUp()) {
                ofProgram().log(level, text, thrown);
            } else if (isLoggable(level)) {
                System.err.println(PREFIX + text + (thrown == null ? "" : ": " + thrown));
            }
        } catch (Throwable ofItsLogging) {
            // there is nowhere to tell it
        }
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... parameters) {
        boolean plain = parameters == null || parameters.length == 0;
        log(level, bundle, plain ? format : MessageFormat.format(format, parameters), (Throwable) null);
    }

    private System.Logger ofProgram() {
        return System.getLogger(name);
    }

    /** Whether the program has any logging of its own, or a configuration of that of the JDK. */
    private boolean isSetUp() {
        String finder = System.LoggerFinder.getLoggerFinder().getClass().getName();
        if (!finder.startsWith("jdk.internal.logger.") && !finder.startsWith("sun.util.logging.")) {
            return true;
        }
        if (System.getProperty(JDK_LOGGING + "config.file") != null
                || System.getProperty(JDK_LOGGING + "config.class") != null
                || System.getProperty(JDK_LOGGING + "SimpleFormatter.format") != null) {
            return true;
        }
        try {
            return hasHandlers();
        } catch (ReflectiveOperationException | LinkageError withoutIt) {
            return false;
        }
    }

    /**
     * Whether somebody has added handlers to the JDK's logging, or has replaced the one that is there. By reflection, because
     * a runtime image may be without that module.
     */
    private boolean hasHandlers() throws ReflectiveOperationException {
        Class<?> type = Class.forName(JDK_LOGGING + "Logger");
        Method handlersOf = type.getMethod("getHandlers");
        Method parentOf = type.getMethod("getParent");
        Object logger = type.getMethod("getLogger", String.class).invoke(null, name);
        for (Object parent = parentOf.invoke(logger); parent != null; parent = parentOf.invoke(logger)) {
            if (((Object[]) handlersOf.invoke(logger)).length > 0) {
                return true;
            }
            logger = parent;
        }
        Object[] handlers = (Object[]) handlersOf.invoke(logger);
        if (handlers.length == 0) {
            return false; // as when the process ends: the JDK takes them away
        }
        if (handlers.length > 1 || !handlers[0].getClass().getName().equals(JDK_LOGGING + "ConsoleHandler")) {
            return true;
        }
        Object formatter = handlers[0].getClass().getMethod("getFormatter").invoke(handlers[0]);
        return !formatter.getClass().getName().equals(JDK_LOGGING + "SimpleFormatter");
    }
}
