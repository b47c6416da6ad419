package org.galerna.cli.doctor;

import java.util.List;
import java.util.concurrent.Callable;
import org.galerna.cli.usage.Version;
import org.galerna.launch.report.ExitStatus;
import picocli.CommandLine.Command;

/** {@code galerna doctor}: what this machine offers, what is missing, and what each means. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Prints what this machine offers, what is missing, and what that means. The exit status is 1 if something is "
                        + "missing that Galerna needs.")
public final class DoctorCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        List<Finding> findings = Examination.findings();
        int width = findings.stream()
                .mapToInt(finding -> finding.subject().length())
                .max()
                .orElse(0);
        for (Finding finding : findings) {
            System.out.printf(
                    "%-5s %-" + width + "s  %s%n", finding.level().word(), finding.subject(), finding.value());
            if (!finding.meaning().isEmpty()) {
                System.out.printf("%-5s %-" + width + "s    %s%n", "", "", finding.meaning());
            }
        }
        boolean healthy = findings.stream().noneMatch(finding -> finding.level() == Finding.Level.BAD);
        System.out.println();
        System.out.println(
                healthy ? "Everything that Galerna needs is here." : "Something that Galerna needs is missing.");
        return healthy ? ExitStatus.OK : ExitStatus.FAILED;
    }
}
