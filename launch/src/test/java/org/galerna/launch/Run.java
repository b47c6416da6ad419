package org.galerna.launch;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.galerna.launch.report.JobResult;

/** A job that was run in this JVM, with what it has printed. */
record Run(JobResult result, String out, String err) {
    static Run of(Path classes, int ranks, String mainClass, String... arguments) {
        return of(classes, ranks, mainClass, job -> job, arguments);
    }

    static Run of(
            Path classes, int ranks, String mainClass, UnaryOperator<ThreadJob.Builder> more, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ThreadJob.Builder job = ThreadJob.builder()
                .ranks(ranks)
                .classPath(List.of(classes))
                .mainClass(mainClass)
                .arguments(List.of(arguments))
                .timeout(Duration.ofSeconds(60))
                .standardInput(new ByteArrayInputStream(new byte[0]))
                .standardOutput(out)
                .standardError(err);
        JobResult result = more.apply(job).build().run();
        return new Run(result, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    int status() {
        return result.status();
    }

    String report() {
        return result.report();
    }

    /** The lines of the standard output in alphabetical order, since that of the ranks is open. */
    List<String> sortedLines() {
        return out.lines().sorted().toList();
    }
}
