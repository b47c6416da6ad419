package org.galerna.launch.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.galerna.launch.BindTo;
import org.galerna.launch.ClassesFolder;
import org.galerna.launch.ProgramModules;
import org.galerna.launch.rendezvous.FieldReader;
import org.galerna.launch.rendezvous.FieldWriter;

/**
 * What one agent has to start, as it travels from the launcher to the agent.
 *
 * @param job name of the job
 * @param size number of ranks of the whole job
 * @param firstRank the lowest rank of this host; the others follow
 * @param ranks number of ranks of this host, at least 1
 * @param ranksPerProcess how many of them share a process, the last process may have fewer
 * @param jvmOptions for the ranks' virtual machines
 * @param classes class files that stand before the class path, by the names of their classes
 * @param classPath the program's
 * @param modulePath the program's, if it consists of modules; empty if not
 * @param mainClass the class to run; {@code module/class} if there are modules
 * @param arguments the program's
 * @param workingFolder where the ranks run
 * @param aotCache file in which rank 0 leaves what makes the next ones start sooner; empty for none
 * @param bindTo what ranks are bound to
 * @param bindingsReported whether the launcher wants to know where ranks run
 * @param labelled whether lines of output begin with their rank
 * @param deadlockTimeout for how long nothing must move until ranks count as standing still; zero for no such watch
 */
record AgentJob(
        String job,
        int size,
        int firstRank,
        int ranks,
        int ranksPerProcess,
        List<String> jvmOptions,
        Map<String, byte[]> classes,
        String classPath,
        String modulePath,
        String mainClass,
        List<String> arguments,
        String workingFolder,
        String aotCache,
        BindTo bindTo,
        boolean bindingsReported,
        boolean labelled,
        Duration deadlockTimeout) {
    AgentJob {
        jvmOptions = List.copyOf(jvmOptions);
        classes = Map.copyOf(classes);
        arguments = List.copyOf(arguments);
    }

    /** This job on a host where the classes are in a folder. */
    AgentJob withClassesIn(Path folder) {
        return new AgentJob(
                job,
                size,
                firstRank,
                ranks,
                ranksPerProcess,
                jvmOptions,
                Map.of(),
                ClassesFolder.before(classPath, folder),
                modulePath,
                mainClass,
                arguments,
                workingFolder,
                aotCache,
                bindTo,
                bindingsReported,
                labelled,
                deadlockTimeout);
    }

    ProgramModules modules() {
        return new ProgramModules(modulePath, List.of());
    }

    /**
     * A system property of the ranks, of which the last option counts. What no option says is as in this process: both have the same
     * variables of the environment.
     */
    Optional<String> property(String name) {
        String definition = "-D" + name;
        return jvmOptions.reversed().stream()
                .filter(option -> option.equals(definition) || option.startsWith(definition + "="))
                .findFirst()
                .map(option -> option.substring(Math.min(option.length(), definition.length() + 1)))
                .or(() -> Optional.ofNullable(System.getProperty(name)));
    }

    FieldWriter write() {
        return new FieldWriter()
                .text(job)
                .number(size)
                .number(firstRank)
                .number(ranks)
                .number(ranksPerProcess)
                .list(jvmOptions, FieldWriter::text)
                .list(
                        List.copyOf(classes.entrySet()),
                        (fields, each) -> fields.text(each.getKey()).bytes(each.getValue()))
                .text(classPath)
                .text(modulePath)
                .text(mainClass)
                .list(arguments, FieldWriter::text)
                .text(workingFolder)
                .text(aotCache)
                .text(bindTo.name())
                .flag(bindingsReported)
                .flag(labelled)
                .number(deadlockTimeout.toNanos());
    }

    private static Map<String, byte[]> readClasses(FieldReader fields) {
        return fields.list(each -> Map.entry(each.text(), each.bytes())).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    static AgentJob read(FieldReader fields) {
        return new AgentJob(
                fields.text(),
                fields.number(),
                fields.number(),
                fields.number(),
                fields.number(),
                fields.list(FieldReader::text),
                readClasses(fields),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.list(FieldReader::text),
                fields.text(),
                fields.text(),
                BindTo.valueOf(fields.text()),
                fields.flag(),
                fields.flag(),
                Duration.ofNanos(fields.longNumber()));
    }
}
