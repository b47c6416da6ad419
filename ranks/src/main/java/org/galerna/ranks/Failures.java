package org.galerna.ranks;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;
import org.jspecify.annotations.Nullable;

/** From how a job has ended to what its caller catches. */
final class Failures {
    private static final String PACKAGE = Failures.class.getPackageName() + ".";
    private static final String PREFIX = "galerna: ";
    private static final Pattern ASSERTION = Pattern.compile("[\\w.$]*Assertion(Failed)?Error(:.*)?");

    private Failures() {}

    /**
     * What is thrown; null for a job that has ended well.
     *
     * @param all what ranks have thrown, in the order of the time, as far as it is known
     */
    static @Nullable Throwable of(JobResult job, List<RankCall.Failure> all) {
        Throwable failure = switch (job.outcome()) {
            case Outcome.Completed completed -> null;
            case Outcome.Failed failed -> of(failed.rank(), failed.thread(), failed.exception(), job.status());
            case Outcome.FailedElsewhere failed -> ofText(failed.rank(), failed.thread(), failed.text(), job.status());
            default -> new RanksException(withoutPrefix(job.report()), job.status(), null);
        };
        if (failure != null) {
            // the first line of the stack is where the program has started the job
            failure.setStackTrace(Arrays.stream(failure.getStackTrace())
                    .dropWhile(frame -> frame.getClassName().startsWith(PACKAGE))
                    .toArray(StackTraceElement[]::new));
            // what others have thrown meanwhile mostly follows from the end of the job, but for failed assertions
            all.stream()
                    .filter(each -> each.thrown() instanceof AssertionError && each.thrown() != failure.getCause())
                    .forEach(each -> failure.addSuppressed(of(each.rank(), "rank-" + each.rank(), each.thrown(), 1)));
        }
        return failure;
    }

    private static Throwable of(int rank, String thread, Throwable thrown, int status) {
        if (thrown instanceof AssertionError) {
            return new RankAssertionError(rank, headline(rank, thread) + describe(thrown, thrown::getMessage), thrown);
        }
        return new RankFailedException(
                rank, headline(rank, thread) + describe(thrown, thrown::toString), status, thrown);
    }

    /** What an exception says of itself, which is the program's and may fail. */
    private static String describe(Throwable thrown, Supplier<@Nullable String> words) {
        try {
            String said = words.get();
            return said == null ? thrown.toString() : said;
        } catch (RuntimeException ofProgram) {
            return thrown.getClass().getName();
        }
    }

    /** The exception of another process is known as text. */
    private static Throwable ofText(int rank, String thread, String stackTrace, int status) {
        String text = headline(rank, thread) + stackTrace.strip();
        String first = stackTrace.lines().findFirst().orElse("");
        return ASSERTION.matcher(first).matches()
                ? new RankAssertionError(rank, text, null)
                : new RankFailedException(rank, text, status, null);
    }

    private static String headline(int rank, String thread) {
        return "rank " + rank + " failed" + (thread.equals("rank-" + rank) ? ": " : " in thread " + thread + ": ");
    }

    private static String withoutPrefix(String report) {
        String text = report.strip();
        return text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
    }
}
