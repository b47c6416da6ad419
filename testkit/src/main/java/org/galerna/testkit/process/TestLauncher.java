package org.galerna.testkit.process;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests where the build cannot, in a guest: the classes, or methods written as {@code class#method}, that are named as
 * arguments; {@code iteration:method:class#method(int)[0..2]} are the first three calls of one with parameters. Those that
 * are tagged slow are left out. One line says how each test went and how long it took; the status is 1 if one has failed or none was found.
 */
public final class TestLauncher {
    /** Tag of tests that take long where the processors are emulated. */
    public static final String SLOW_IN_GUEST = "slow-in-guest";

    /** Property: {@code quick} leaves out those tests, {@code rest} leaves out all others. */
    static final String PART = "test.guest.part";

    private TestLauncher() {}

    /** Runs the tests. */
    public static void main(String[] arguments) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(arguments).map(TestLauncher::selector).toList())
                .filters(TagFilter.excludeTags("slow"))
                .filters(part())
                .configurationParameter("junit.jupiter.execution.timeout.default", "600 s")
                .configurationParameter("junit.jupiter.execution.timeout.threaddump.enabled", "true")
                .build();
        Report report = new Report(System.out);
        Thread.ofPlatform().daemon().name("report").start(report::watch);
        LauncherFactory.create().execute(request, report);
        System.out.println(report.passed + " tests have passed, " + report.failed + " have failed");
        System.out.flush();
        System.exit(report.failed == 0 && report.passed > 0 ? 0 : 1);
    }

    private static PostDiscoveryFilter[] part() {
        return switch (System.getProperty(PART, "")) {
            case "quick" -> new PostDiscoveryFilter[] {TagFilter.excludeTags(SLOW_IN_GUEST)};
            case "rest" -> new PostDiscoveryFilter[] {TagFilter.includeTags(SLOW_IN_GUEST)};
            default -> new PostDiscoveryFilter[0];
        };
    }

    private static DiscoverySelector selector(String test) {
        if (test.contains(":")) {
            return DiscoverySelectors.parse(test).orElseThrow();
        }
        return test.contains("#") ? selectMethod(test) : selectClass(test);
    }

    private static final class Report implements TestExecutionListener {
        private static final long LONG_NANOS = TimeUnit.MINUTES.toNanos(2);

        private final PrintStream out;
        private int passed;
        private int failed;
        private volatile long started;
        private volatile @Nullable String running;

        Report(PrintStream out) {
            this.out = out;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                started = System.nanoTime();
                running = test.getDisplayName();
            }
        }

        /** Once a test takes long, says where its threads are: nobody can ask from outside. */
        void watch() {
            String reported = null;
            while (true) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                String test = running;
                if (test != null && !test.equals(reported) && System.nanoTime() - started > LONG_NANOS) {
                    reported = test;
                    out.println(test + " has been running for long:");
                    Thread.getAllStackTraces().forEach((thread, frames) -> {
                        out.println("  " + thread);
                        Arrays.stream(frames).limit(12).forEach(frame -> out.println("      at " + frame));
                    });
                    out.flush();
                }
            }
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            out.println("skipped " + test.getDisplayName() + ": " + reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL && !test.isTest()) {
                return;
            }
            running = null;
            double seconds = (System.nanoTime() - started) / 1e9;
            String outcome = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? "passed" : "FAILED";
            out.println(outcome + " " + test.getDisplayName() + String.format(Locale.ROOT, " %.1f s", seconds));
            if (outcome.equals("passed")) {
                passed++;
            } else {
                failed++;
                result.getThrowable().ifPresent(this::explain);
            }
            out.flush();
        }

        private void explain(Throwable thrown) {
            for (Throwable each = thrown; each != null; each = each.getCause()) {
                out.println(each);
                for (StackTraceElement frame : each.getStackTrace()) {
                    out.println("    at " + frame);
                }
            }
        }
    }
}
