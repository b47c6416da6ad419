package org.galerna.ranks;

import java.util.List;
import java.util.regex.Pattern;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;
import org.jspecify.annotations.Nullable;

/** From how a job has ended to what its caller catches. */
final class Failures {
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
            case Outcome.FailedElsewhere failed ->
                ofText(failed.rank(), failed.thread(), failed.stackTrace(), job.status());
            default -> new RanksException(withoutPrefix(job.report()), job.status(), null);
        };
        if (failure != null) {
            // what others have thrown meanwhile mostly follows from the end of the job, but for failed assertions
            all.stream()
                    .filter(each -> each.thrown() instanceof AssertionError && each.thrown() != failure.getCause())
                    .forEach(each -> failure.addSuppressed(of(each.rank(), "rank-" + each.rank(), each.thrown(), 1)));
        }
        return failure;
    }

    private static Throwable of(int rank, String thread, Throwable thrown, int status) {
        if (thrown instanceof AssertionError) {
            String what = thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
            return new RankAssertionError(rank, headline(rank, thread) + what, thrown);
        }
        return new RankFailedException(rank, headline(rank, thread) + thrown, status, thrown);
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
