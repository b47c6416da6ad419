package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.cli.run.RunCommand;
import org.galerna.cli.run.UsualRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class UsualRunTest {
    private static String[] words(String line) {
        return line.split(" ", -1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Main",
                "-n 4 Main",
                "-np 1 Main.java -n 2 --label",
                "--ranks 12 --procs -cp a:b org.example.Main 1 -x @file",
                "-classpath . --label Main",
                "--procs --class-path x y z",
                "--label --procs -n 007 Main  end",
                "4 Main"
            })
    void isWhatTheLibraryReads(String line) {
        RunCommand usual = UsualRun.read(words(line));
        assertThat(usual).usingRecursiveComparison().isEqualTo(readByTheLibrary(words(line)));
    }

    private static RunCommand readByTheLibrary(String... words) {
        String[] arguments = new String[words.length + 1];
        arguments[0] = "run";
        System.arraycopy(words, 0, arguments, 1, words.length);
        CommandLine line = Main.commandLine(arguments);
        line.parseArgs(Main.words(arguments));
        return line.getCommand();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-n 4",
                "-n",
                "-n x Main",
                "-n -4 Main",
                "-n +4 Main",
                "-n 99999999999 Main",
                "-n 4 -n 4 Main",
                "--procs --procs Main",
                "-cp",
                "-cp -n Main",
                "-cp  Main",
                "--ranks=4 Main",
                "-Dx=y Main",
                "--timeout 3 Main",
                "-jar a.jar",
                "Main -- x",
                "-- Main"
            })
    void leavesEverythingElseToTheLibrary(String line) {
        assertThat(UsualRun.read(line.isEmpty() ? new String[0] : words(line))).isNull();
    }
}
