package org.galerna.testkit.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A block of code in a page.
 *
 * @param page name of the page
 * @param line number of its first line
 * @param language what stands behind the fence; empty if nothing does, or if the block is indented
 * @param context text of a comment {@code <!-- with: ... -->} right before the block; empty if there is none
 * @param lines its lines, without indentation or fences
 */
public record PageBlock(String page, int line, String language, String context, List<String> lines) {
    /** Programs with which a block of commands begins. */
    private static final Set<String> PROGRAMS = Set.of(
            "./galerna",
            "galerna",
            "javac",
            "java",
            "mvn",
            "mpiexec",
            "mpirun",
            "srun",
            "sbatch",
            "ib_send_lat",
            "head",
            "jtreg",
            "docker",
            "tools/rxe-vm",
            "mpjrun.sh",
            "tools/first-hour",
            "mkdir");

    /** Copies the lines. */
    public PageBlock {
        lines = List.copyOf(lines);
    }

    /** Where the block is, for messages. */
    public String place() {
        return page + ":" + line;
    }

    /** The text of the block. */
    public String text() {
        return String.join("\n", lines) + "\n";
    }

    /** Whether the block is a source in Java. */
    public boolean isJava() {
        return language.equals("java");
    }

    /** Whether the block is commands for a shell. */
    public boolean isCommands() {
        String first =
                lines.stream().filter(line -> !line.startsWith("#")).findFirst().orElse("");
        return language.equals("sh")
                || (language.isEmpty() && PROGRAMS.contains(first.strip().split(" ", 2)[0]));
    }

    /** The commands of the block, each with the lines that continue it. */
    public List<PageCommand> commands() {
        List<PageCommand> commands = new ArrayList<>();
        StringBuilder command = new StringBuilder();
        int begin = 0;
        for (int index = 0; index < lines.size(); index++) {
            String each = lines.get(index);
            if (command.isEmpty()) {
                begin = index;
            }
            if (each.endsWith("\\")) {
                command.append(each, 0, each.length() - 1);
            } else {
                command.append(each);
                if (!command.toString().isBlank() && !command.toString().startsWith("#")) {
                    commands.add(new PageCommand(
                            page + ":" + (line + begin), command.toString().strip()));
                }
                command.setLength(0);
            }
        }
        return commands;
    }
}
