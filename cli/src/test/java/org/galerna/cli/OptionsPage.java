package org.galerna.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.galerna.device.Devices;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The page of all commands and options, as the command line itself knows them. */
final class OptionsPage {
    private OptionsPage() {}

    /** The text of the page. */
    static String text() {
        StringBuilder text = new StringBuilder("""
                # Options

                Every command and every option. This page is written by `OptionsPageTest` from the command line itself; to write it
                anew: `mvn test -pl cli -am -Dtest=OptionsPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dgalerna.pages.write=true`.
                The [user guide](user-guide.md) explains what matters, and lists the
                [system properties](user-guide.md#options-as-system-properties).

                ```
                """);
        text.append(Help.text()).append("```\n");
        addCommands(text, new CommandLine(new Main()));
        addDeviceOptions(text);
        return text.toString();
    }

    private static void addCommands(StringBuilder text, CommandLine parent) {
        Set<CommandLine> commands = new LinkedHashSet<>(parent.getSubcommands().values());
        for (CommandLine command : commands) {
            addCommand(text, command.getCommandSpec());
            addCommands(text, command);
        }
    }

    private static void addCommand(StringBuilder text, CommandSpec spec) {
        text.append("\n## ").append(spec.qualifiedName()).append("\n\n");
        text.append(String.join(" ", spec.usageMessage().description())).append("\n");
        String[] synopsis = spec.usageMessage().customSynopsis();
        if (synopsis.length > 0) {
            text.append("\n```text\n").append(String.join("\n", synopsis)).append("\n```\n");
        }
        List<OptionSpec> options = spec.options().stream()
                .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
                .toList();
        if (!options.isEmpty()) {
            text.append("\n| option | meaning |\n| --- | --- |\n");
            options.forEach(option -> text.append("| ")
                    .append(names(option))
                    .append(" | ")
                    .append(cell(String.join(" ", option.description())))
                    .append(" |\n"));
        }
    }

    private static String names(OptionSpec option) {
        List<String> names = new ArrayList<>(List.of(option.names()));
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        names.set(names.size() - 1, names.getLast() + value);
        return cell(
                String.join(", ", names.stream().map(name -> "`" + name + "`").toList()));
    }

    private static void addDeviceOptions(StringBuilder text) {
        text.append("""

                ## Names of `--device-option`

                Also system properties, with `galerna.` in front.

                | name | meaning |
                | --- | --- |
                """);
        Map<String, String> settings = new TreeMap<>(Devices.settings());
        settings.forEach((name, meaning) -> text.append("| `")
                .append(name.substring("galerna.".length()))
                .append("` | ")
                .append(cell(meaning))
                .append(" |\n"));
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }
}
