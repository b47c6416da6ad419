package org.galerna.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.galerna.launch.program.ClassPath;

/**
 * What a job is, in a form that travels from one JVM to another as arguments of {@link JobMain}.
 *
 * @param ranks number of ranks, at least 1
 * @param classPath the program's, as {@code java -cp} takes it
 * @param modules the program's, if it consists of modules; the main class is {@code module/class} then
 * @param mainClass name of the class to run
 * @param arguments the program's arguments
 * @param device name of the device; none for the fastest possible
 * @param labelled whether lines of output begin with their rank
 * @param bindTo what ranks are bound to
 * @param bindingsReported whether it is said where each rank runs
 * @param timeout the longest that the job may take; zero for no limit
 * @param deadlockTimeout for how long nothing must move until the job counts as deadlocked; zero for no such watch
 * @param parent the process whose end ends the job
 */
public record JobDescription(
        int ranks,
        String classPath,
        ProgramModules modules,
        String mainClass,
        List<String> arguments,
        Optional<String> device,
        boolean labelled,
        BindTo bindTo,
        boolean bindingsReported,
        Duration timeout,
        Duration deadlockTimeout,
        OptionalLong parent) {
    private static final int FIXED = 12;

    /** A description with the list copied. */
    public JobDescription {
        arguments = List.copyOf(arguments);
    }

    /** The description of a job whose program is on the class path. */
    public JobDescription(
            int ranks,
            String classPath,
            String mainClass,
            List<String> arguments,
            Optional<String> device,
            boolean labelled,
            BindTo bindTo,
            boolean bindingsReported,
            Duration timeout,
            Duration deadlockTimeout,
            OptionalLong parent) {
        this(
                ranks,
                classPath,
                ProgramModules.NONE,
                mainClass,
                arguments,
                device,
                labelled,
                bindTo,
                bindingsReported,
                timeout,
                deadlockTimeout,
                parent);
    }

    /** The description as arguments of {@link JobMain}: a fixed number of values, then the program's arguments. */
    public List<String> toArguments() {
        List<String> values = new ArrayList<>(List.of(
                String.valueOf(ranks),
                classPath,
                device.orElse(""),
                String.valueOf(labelled),
                bindTo.name(),
                String.valueOf(bindingsReported),
                timeout.toString(),
                deadlockTimeout.toString(),
                parent.isPresent() ? String.valueOf(parent.getAsLong()) : "",
                modules.path(),
                String.join(" ", modules.options()),
                mainClass));
        values.addAll(arguments);
        return values;
    }

    /**
     * The reverse of {@link #toArguments}.
     *
     * @throws IllegalArgumentException if these are no such arguments
     */
    public static JobDescription fromArguments(List<String> values) {
        if (values.size() < FIXED) {
            throw new IllegalArgumentException("not the description of a job, use the galerna command: " + values);
        }
        String device = values.get(2);
        String parent = values.get(8);
        return new JobDescription(
                Integer.parseInt(values.get(0)),
                values.get(1),
                new ProgramModules(values.get(9), words(values.get(10))),
                values.get(11),
                values.subList(FIXED, values.size()),
                device.isEmpty() ? Optional.empty() : Optional.of(device),
                Boolean.parseBoolean(values.get(3)),
                BindTo.valueOf(values.get(4)),
                Boolean.parseBoolean(values.get(5)),
                Duration.parse(values.get(6)),
                Duration.parse(values.get(7)),
                parent.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(parent)));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }

    /** The job, not started yet, with the standard streams of this JVM. */
    public ThreadJob toJob() {
        ThreadJob.Builder builder = ThreadJob.builder()
                .ranks(ranks)
                .classPath(classPath.isEmpty() && !modules.isEmpty() ? List.of() : ClassPath.parse(classPath))
                .modules(modules)
                .mainClass(mainClass)
                .arguments(arguments)
                .labelled(labelled)
                .bindTo(bindTo)
                .bindingsReported(bindingsReported)
                .timeout(timeout)
                .deadlockTimeout(deadlockTimeout);
        device.ifPresent(builder::device);
        return builder.build();
    }
}
