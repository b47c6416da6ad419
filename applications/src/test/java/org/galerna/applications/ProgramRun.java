package org.galerna.applications;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.launch.ThreadJob;

/** What a program has left that was run on threads. */
public record ProgramRun(int status, String output, String errors) {
    /** Runs a program. */
    public static ProgramRun of(Class<?> program, int ranks, String... arguments) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int status = ThreadJob.builder()
                .ranks(ranks)
                .mainClass(program.getName())
                .arguments(List.of(arguments))
                .standardInput(InputStream.nullInputStream())
                .standardOutput(output)
                .standardError(errors)
                .build()
                .run()
                .status();
        return new ProgramRun(status, output.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    /** A part of the first place in the output that a pattern is found at, which there has to be. */
    public String find(Pattern pattern, int group) {
        Matcher matcher = pattern.matcher(output);
        assertThat(matcher.find()).as("%s%s", output, errors).isTrue();
        return matcher.group(group);
    }

    /** The number that {@link #find} finds. */
    public double number(Pattern pattern, int group) {
        return Double.parseDouble(find(pattern, group));
    }
}
