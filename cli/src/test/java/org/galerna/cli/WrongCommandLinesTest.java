package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.galerna.cli.Galerna.Ended;
import org.galerna.cli.options.OutputPath;
import org.galerna.cli.options.SettingsCheck;
import org.galerna.cli.usage.UsageException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A mistake on the command line gets one line that names it, and status 2, before anything starts. */
class WrongCommandLinesTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.createDirectory(folder.resolve("classes"));
        Files.writeString(folder.resolve("text"), "no jar, no report, no table\n");
        Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1, (byte) 0x80});
        Files.writeString(folder.resolve("empty.json"), "{}");
        Files.writeString(folder.resolve("jobless.json"), "{\"jobs\": []}");
        Files.writeString(
                folder.resolve("my.machine"),
                "network.latency = 1 us\nnetwork.overhead = 0.2 us\nnetwork.bandwidth = 1 GB/s\n");
        Files.writeString(folder.resolve("nothing"), "# no host yet\n");
        try (ZipOutputStream bare = new ZipOutputStream(Files.newOutputStream(folder.resolve("bare.jar")))) {
            bare.putNextEntry(new ZipEntry("Main.class"));
        }
        Files.createDirectory(folder.resolve("modular"));
        Files.writeString(folder.resolve("modular/module-info.java"), "module m {}");
        Files.writeString(folder.resolve("modular/Main.java"), "class Main { void main() {} }");
        Files.writeString(folder.resolve("Misplaced.java"), "package app; class Misplaced { void main() {} }");
    }

    @Test
    void whatACheckHasLeftThatWasKilledGoesWithTheNextOne() throws IOException {
        Path output = Files.createDirectory(folder.resolve("output"));
        Files.createFile(output.resolve(".galerna-" + System.getProperty("user.name") + ".try"));
        OutputPath.checkNewFolder("--output", output);
        assertThat(output).isEmptyDirectory();
    }

    /** Words begin with {@code @} where they are files of this test. */
    private Ended refused(String commandLine) {
        String[] words = commandLine.split(" +");
        for (int index = 0; index < words.length; index++) {
            words[index] = words[index].replace("@", folder + "/");
        }
        return Galerna.refused(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            frobnicate                                 | there is no command "frobnicate"
            rnu -n 4 Main                              | there is no command "rnu"; did you mean run?
            Bench latency                              | did you mean bench?
            help frobnicate                            | there is no command "frobnicate"
            --colour                                   | there is no option --colour
            bench                                      | the benchmark is missing: choose one of latency, bandwidth
            bench latancy                              | there is no command "latancy"; did you mean latency?
            bench latency --window 5                   | there is no option --window
            bench latency --sizes some                 | --sizes takes numbers of bytes
            bench latency --sizes 4M..1                | --sizes takes a range from a smaller size to a larger one, not 4M..1
            bench latency --sizes 2000M                | --sizes takes sizes up to 1024M, not 2000M
            bench latency --repetitions 0              | --repetitions takes a number from 1, not 0
            bench latency --repetitions often          | --repetitions takes a whole number, not "often"
            bench latency --against pigeons            | --against knows no system "pigeons"
            bench latency --baseline @none.jar         | none.jar
            bench latency --baseline @classes          | is not a file that can be read
            bench sockets --baseline @text             | is not a galerna.jar: it is no archive
            bench --baseline @text                     | is not a galerna.jar: it is no archive
            bench all --quick --baseline @none.jar     | there is no file
            bench latency --level socket               | --level takes mpi, device and link, not "socket"
            bench latency --device niodef              | there is no device "niodef"; did you mean niodev?
            bench latency --device smdev               | --device smdev connects threads of one process; for ranks that are processes leave it out, or take
            bench latency --json @none/a.json          | there is no folder
            bench latency --csv @classes               | it is a folder
            bench latency --html @text/a.html          | Not a directory
            bench pingpong --json /proc/a.json         | --json /proc/a.json cannot be written
            bench sockets --json @none/a.json          | there is no folder
            bench bandwidth --window 0                 | --window takes a number from 1, not 0
            bench rate --pairs 0                       | --pairs takes a number from 1 to 64, not 0
            bench rate --threads 2 --level link        | --threads works with --level mpi only
            bench collectives --ranks 1                | --ranks takes numbers from 2 to 64, not 1
            bench collectives --operations sort        | there is no collective "sort"
            bench messaging --senders 0                | --senders takes numbers from 1 to 64, not 0
            bench messaging --link pigeon              | there is no network "pigeon"
            bench messaging --workload juggle          | there is no workload "juggle"
            bench report                               | FILE is missing
            bench report @none.json                    | there is no file
            bench report @binary                       | binary is not a report of galerna bench
            bench report @empty.json                   | empty.json is not a report of galerna bench
            bench report @empty.json --html @none/a    | there is no folder
            demo now                                   | there is no command "now"
            demo --output @text                        | it is a file, not a folder
            demo --output /proc/demo                   | --output /proc/demo cannot be written
            demo --frames -1                           | --frames takes a number from 0, not -1
            demo --ranks 0                             | --ranks takes numbers from 1, not 0
            demo --parameters @none                    | there is no such file
            demo cosmology --particles 48              | --particles takes 16, 32, 64, 128 or 256, not 48
            demo cosmology --frames 1000               | --frames takes a number from 0 to 64 here, not 1000
            doctor everything                          | "everything" is one argument too many
            sockets                                    | the command is missing: galerna sockets run
            sockets rum -jar app.jar                   | there is no command "rum"; did you mean run?
            sockets run                                | the program is missing
            sockets run -jar @none.jar                 | there is no jar
            sockets run -jar @text                     | text is not a jar
            sockets run -cp @none Main                 | -cp names
            sockets run --include 99999 Main           | lists ports, such as 80,8000-8100, not "99999"
            sockets run --exclude 10-5 Main            | lists ports, such as 80,8000-8100, not "10-5"
            sockets run Nope                           | class Nope not found in
            sockets run Nope.java                      | there is no source file Nope.java
            sockets run --include http Main            | lists ports, such as 80,8000-8100, not "http"
            sockets run -Dgalerna.sockets.rings=1 Main | there is no system property galerna.sockets.rings; did you mean galerna.sockets.ring?
            sockets run -Dgalerna.sockets.ring=5 Main  | galerna.sockets.ring must be a number from
            tune --operations broadcast                | no collective operation named "broadcast"
            tune --output @none/my.table               | there is no folder
            tune --compare @none                       | there is no such file
            model                                      | --machine FILE is missing
            model -m @none                             | there is no such file
            model -m @text                             | is missing
            model --measure @none/my.machine           | there is no folder
            model --measure @a --curves @classes       | --curves does not go together with --measure
            model -m @my.machine --curves @none        | none: there is no such folder
            model -m @my.machine --ranks 1 --best      | --ranks takes numbers from 2 to 131072, not 1
            model -m @my.machine --best --table @a     | --table compares all algorithms: it does not go together with --best
            model -m @my.machine -n 4                  | "-n" is not an option here; options of galerna run need
            model -m @my.machine --ranks-per-host 0    | --ranks-per-host takes a number from 1, not 0
            model -m @my.machine --published @a --best | --best does not go together with --published
            model -m @my.machine --check --scale @a    | does not go together with
            model --scale @none/a.json                 | there is no folder
            model --scale @classes                     | it is a folder
            model --scale @a --ranks 2,1               | --ranks takes numbers from 2 to 131072, not 1
            model --scale @a --ranks few               | --ranks takes a whole number, not "few"
            model --scale @a -n 4                      | --scale takes the numbers of ranks from --ranks, not from -n
            model --scale @a --sizes 8,64              | --sizes takes one size for --scale, not 8,64
            model --scale @a --sizes few               | --sizes takes numbers of bytes
            model --scale @a --curves @text            | text is not a folder
            model --scale @a --lable                   | there is no option --lable; did you mean --label?
            model --scale @a Main                      | "Main" is one argument too many
            model --scale @a --best                    | --best does not go together with --scale
            model --scale @a --scaled @empty.json      | does not go together with
            model --scaled @empty.json                 | --scaled needs --curves FOLDER
            model --scaled @a.json --curves @classes   | there is no file
            model --scaled @text --curves @classes     | text is not a report of jobs of many ranks
            model --scaled @binary --curves @classes   | binary is not a report of jobs of many ranks
            model --scaled @empty.json --curves @classes | empty.json is not a report of jobs of many ranks
            model --scaled @jobless.json --curves @classes | jobless.json is not a report of jobs of many ranks
            model --scaled @classes --curves @classes  | classes is a folder, not a report of jobs of many ranks
            model --scaled @empty.json --curves @none  | none: there is no such folder
            model --scaled @empty.json --curves @classes -n 4 | "-n" is not an option here
            model --scaled @empty.json --curves @classes --ranks 4 | --ranks does not go together with --scaled
            tune --sizes few                           | --sizes takes numbers of bytes
            test --all                                 | start ./galerna test --all in a checkout of Galerna
            install                                    | start ./galerna install in a checkout of Galerna
            run                                        | the program is missing
            bench report @classes                      | is a folder, not a report
            run --procs 2 -cp @classes Main            | "2" stands where the program belongs; -n 2 gives the number of ranks
            run -n 0 -cp @classes Main                 | -n takes a number from 1, not 0
            run -n 99999999999 -cp @classes Main       | galerna run: -n: 99999999999 is too large
            run -n many -cp @classes Main              | takes a whole number, not "many"
            run -n                                     | needs a value: RANKS
            run -n 2 -n 3 -cp @classes Main            | -n is given twice
            run --lable -cp @classes Main              | there is no option --lable; did you mean --label?
            run -dev multicore -cp @classes Main       | there is no device "multicore" as in MPJ Express; leave -dev out
            run -dev native -cp @classes Main          | MPJ Express; give --launcher mpiexec or mpirun instead
            run -src -cp @classes Main                 | there is no option -src as in MPJ Express; leave it out
            run -debug 8000 -cp @classes Main          | MPJ Express; give --procs -J-agentlib
            run -np 2 -psl 1024 -cp @classes Main      | MPJ Express; give --device-option eager.limit
            run -dev pigeon -cp @classes Main          | there is no device "pigeon", only smdev
            run -dev ibvdev -cp @classes Main          | device ibvdev cannot be used
            run --device-option speed=high Main        | --device-option has no setting "speed"
            run --device-option eager.limits=1 Main    | did you mean eager.limit?
            run --device-option eager.limit Main       | --device-option takes NAME=VALUE, or help
            run --device-option eager.limit=big Main   | galerna.eager.limit must be a number of bytes, not "big"
            run -Dgalerna.devize=smdev Main            | there is no system property galerna.devize; did you mean galerna.device?
            run -Dgalerna.device=pigeon Main           | there is no device "pigeon"
            run -Dgalerna.tls=perhaps Main             | galerna.tls must be true or false, not "perhaps"
            run -Dgalerna.peer.timeout=soon Main       | galerna.peer.timeout must be a number of seconds
            run -Dgalerna.turn=long Main               | galerna.turn must be a number of microseconds
            run -Dgalerna.hybrid.links=ether Main      | galerna.hybrid.links knows threads
            run -Dgalerna.tcp.interface=eth99 Main     | which is no interface, address or network
            run -Dgalerna.serial.depth=deep Main       | galerna.serial.depth must be a number
            run -Dgalerna.coll.bcast=fast Main         | "fast"
            run -Dgalerna.coll.broadcast=linear Main   | there is no system property galerna.coll.broadcast
            run -Dgalerna.coll.table=@none Main        | there is no file
            run -Dgalerna.coll.table=@binary Main      | is not a text in UTF-8
            run -cp @none Main                         | -cp names
            run -cp @classes:@none.jar Main            | none.jar, and there is no such file or folder
            run -cp @text Main                         | which is neither a folder nor a jar
            run -cp @Misplaced.java Main               | name the folder that it is in
            run -p @none -m app/app.Main               | -p names
            run -m app/app.Main                        | needs the path of its module: -p PATH
            run -p @classes -class Main -m app         | -m and -class both name the program
            run -p @classes -m app                     | there is no module app on the module path (see
            run -jar @none.jar                         | there is no jar
            run -jar @classes                          | is a folder, not a jar
            run -jar @text                             | text is not a jar
            run @None.java                             | there is no file
            run @Misplaced.java                        | does not match its package app
            run @modular/Main.java                     | is part of a module
            run -wdir @none -cp @classes Main          | there is no such folder
            run --timeout -1 -cp @classes Main         | --timeout takes a number of seconds from 0, not -1.0
            run --deadlock-timeout soon Main           | --deadlock-timeout takes a number, not "soon"
            run --bind-to sofa -cp @classes Main       | --bind-to takes core or none, not "sofa"
            run --hosts a: -cp @classes Main           | "a:" is not a host
            run --hosts -x -cp @classes Main           | "-x" is not a host
            run --hostfile @none -cp @classes Main     | there is no host file
            run --hostfile @binary -cp @classes Main   | is not a text in UTF-8
            run --hosts a --hostfile @text Main        | --hosts and --hostfile both name the hosts
            run --launcher pigeon -cp @classes Main    | --launcher takes ssh, mpiexec, mpirun, srun, not "pigeon"
            run --launcher mpirun --ranks-per-process 2 Main | works with --launcher ssh only
            run --ranks-per-process 0 -cp @classes Main | --ranks-per-process takes a number from 1, not 0
            run -dev smdev --procs -n 2 -cp @classes Main | -dev smdev connects threads of one process
            run -Xmx4q -cp @classes Main               | Java does not take -Xmx4q: Invalid maximum heap size: -Xmx4q
            run -XX:+UseNoCollector -cp @classes Main  | Unrecognized VM option 'UseNoCollector'
            run -Dgalerna.explain=maybe Main           | galerna.explain must be true or false, not "maybe"
            run -Dgalerna.wireup=pigeon Main           | galerna.wireup must be auto, none or one of
            demo --ranks 1000                          | --ranks takes numbers to 256 here, not 1000
            sockets run -Xmx4q Main                    | Java does not take -Xmx4q
            -n 4 Main                                  | there is no option -n here; it follows its command: galerna run -n
            --window 5                                 | there is no option --window (see
            Main.java                                  | to run a program: galerna run Main.java
            app.jar 5                                  | to run a program: galerna run -jar app.jar
            sockets --log run Main                     | it follows its command: galerna sockets run --log
            sockets Main                               | to run a program: galerna sockets run Main
            run -4 Main.java                           | there is no option -4; -n 4 gives the number of ranks
            run --hosts a:0 -cp @classes Main          | host a has 0 ranks; leave it out
            run --hostfile @nothing -cp @classes Main  | is empty: write a line for each host
            run -J Xmx4g -cp @classes Main             | -J takes an option of Java, such as -J-Xmx4g, not "Xmx4g"
            run -javaagent:@none.jar=x Main            | there is no file
            run -agentpath:@none.so Main               | there is no file
            run -Dgalerna.ranks=4 -cp @classes Main    | galerna.ranks is for programs that plain java starts; here -n gives
            run -Dgalerna.procs -cp @classes Main      | galerna.procs is for programs that plain java starts; here --procs
            bench latency --json @a --csv @./a         | --csv and --json both name
            bench sockets --json @a --html @a          | --json and --html both name
            demo --frames 100000 --output @demo        | --frames takes a number to 1125 here, one for each step, not 100000
            tune -n 1                                  | -n takes a number from 2, not 1
            tune -n many                               | galerna tune: -n takes a whole number, not "many"
            tune extra                                 | galerna tune: "extra" is one argument too many
            tune --lable                               | galerna tune: there is no option --lable; did you mean --label?
            tune --compare @text                       | text, line 1: "no jar, no report, no table" has 6 columns instead of 5
            tune --compare @classes                    | classes
            sockets run -n 2 Main                      | Java does not take -n: Unrecognized option: -n
            sockets run --verbose Main                 | Java does not take --verbose: Unrecognized option: --verbose
            sockets run -jar @bare.jar                 | names no main class
            run -n 100000 -cp @classes Main            | --yes
            run -n 5000 --procs -cp @classes Main      | --yes
            """)
    void isNamedInOneLine(String commandLine, String message) {
        Ended ended = refused(commandLine);
        assertThat(ended.errors()).contains(message);
        assertThat(ended.errors().lines()).as("lines").hasSize(1);
        assertThat(ended.errors()).doesNotContain("Exception", "\tat ", "Input length");
        assertThat(ended.output()).isEmpty();
        assertThat(ended.status()).isEqualTo(2);
    }

    /** As of a variable of the shell that is not set, between quotes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run -n 2 _ | the name of the program",
                "run -class _ | -class",
                "run -wdir _ -cp . Main | -wdir",
                "run --hosts _ Main | --hosts",
                "run --ssh-command _ --hosts node1:2 Main | --ssh-command",
                "bench latency --json _ | --json",
                "bench collectives --operations _ | --operations",
                "demo --output _ | --output",
                "tune --output _ | -o",
                "sockets run --include _ Main | --include"
            })
    void anEmptyValueIsNamedInOneLine(String line) {
        String[] parts = line.split(" \\| ");
        Ended ended = Galerna.refused(Arrays.stream(parts[0].split(" "))
                .map(word -> word.replace("_", " "))
                .toArray(String[]::new));
        assertThat(ended.errors())
                .contains(": " + parts[1] + " is empty, perhaps because a variable of the shell is not set");
        assertThat(ended.errors().lines()).hasSize(1);
        assertThat(ended.status()).isEqualTo(2);
    }

    @Test
    void leavesNoFileBehind() throws IOException {
        Path results = folder.resolve("results.json");
        assertThat(refused("bench latency --repetitions 0 --json @results.json").status())
                .isEqualTo(2);
        OutputPath.checkFile("--json", results);
        assertThat(results).doesNotExist();
        Files.writeString(results, "kept", StandardCharsets.UTF_8);
        OutputPath.checkFile("--json", results);
        assertThat(results).hasContent("kept");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GALERNA_JAVA_OPTIONS | did you mean GALERNA_JAVA_OPTS?
            GALERNA_SHS          | did you mean GALERNA_SSH?
            GALERNA_NO_ARCHIV    | did you mean GALERNA_NO_ARCHIVE?
            """)
    void aVariableThatIsNearlyOneOfGalernasIsNamed(String name, String message) {
        assertThatThrownBy(() -> SettingsCheck.checkVariables(List.of("PATH", name)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
        SettingsCheck.checkVariables(List.of("GALERNA_JAVA_OPTS", "GALERNA_HOME", "MY_GALERNA_SSH"));
    }
}
