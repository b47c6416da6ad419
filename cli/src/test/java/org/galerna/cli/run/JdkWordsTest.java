package org.galerna.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.galerna.cli.usage.ArgumentFiles;
import org.galerna.cli.usage.UsageException;
import org.galerna.launch.GalernaPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The start script has the same rules; its test has the same table. */
class JdkWordsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            javac -d out A.java                | -cp GALERNA:. -d out A.java
            javac -d out -cp a:b A.java        | -cp GALERNA:a:b -d out A.java
            javac A.java --class-path=a        | -cp GALERNA:a A.java
            javac -p mods -d out A.java        | -cp GALERNA:. --module-path=GALERNA:mods -d out A.java
            java Main -cp x                    | -cp GALERNA:. Main -cp x
            java -Xmx1g -classpath a Main b    | -cp GALERNA:a -Xmx1g Main b
            java --add-opens m/p=q Main        | -cp GALERNA:. --add-opens m/p=q Main
            java Hello.java -cp x              | -cp GALERNA Hello.java -cp x
            java -cp a Hello.java              | -cp GALERNA:a Hello.java
            java -p mods -m app/app.Main x     | --add-modules=ALL-DEFAULT,org.galerna --enable-native-access=org.galerna -cp GALERNA --module-path=GALERNA:mods -m app/app.Main x
            java -version                      | -cp GALERNA:. -version
            java -cp                           | -cp GALERNA:. -cp
            """)
    void javaAndJavacHaveGalernaOnTheirPaths(String command, String expected) {
        List<String> given = List.of(command.split(" ")).subList(1, command.split(" ").length);
        List<String> words = command.startsWith("javac") ? JdkWords.ofJavac(given) : JdkWords.ofJava(given);
        assertThat(words.stream()
                        .map(word -> word.replace(GalernaPath.classPath(), "GALERNA"))
                        .filter(word -> !word.equals("--enable-native-access=ALL-UNNAMED") && !word.startsWith("-XX:")))
                .containsExactly(expected.split(" "));
    }

    @Test
    void filesOfArgumentsAreReadSinceTheyMayHoldAClassPath(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("arguments"), "-cp \"my classes\" # mine\n-Xmx1g 'Main' x\n");
        assertThat(JdkWords.ofJava(List.of("-cp", "a", "@" + file, "@y")))
                .containsSubsequence("-cp", GalernaPath.classPath() + ":my classes", "-Xmx1g", "Main", "x", "@y");
        assertThat(JdkWords.ofJava(List.of("Main", "@" + file))).endsWith("Main", "@" + file);
        assertThat(JdkWords.ofJavac(List.of("@" + file, "A.java")))
                .containsExactly("-cp", GalernaPath.classPath() + ":my classes", "-Xmx1g", "Main", "x", "A.java");
        assertThat(JdkWords.ofJavac(List.of("--disable-@files", "@@x"))).endsWith("--disable-@files", "@@x");
        assertThatThrownBy(() -> JdkWords.ofJava(List.of("@" + folder + "/none")))
                .isInstanceOf(UsageException.class)
                .hasMessageEndingWith("/none cannot be read: there is no such file");
    }

    @Test
    void wordsOfAFileAreThoseOfJava() {
        assertThat(ArgumentFiles.words("a b\n\tc")).containsExactly("a", "b", "c");
        assertThat(ArgumentFiles.words("\"a b\" 'c \"d\"'")).containsExactly("a b", "c \"d\"");
        assertThat(ArgumentFiles.words("x=\" y\\\\z\" #w v\nu")).containsExactly("x= y\\z", "u");
        assertThat(ArgumentFiles.words("\"a\\\n   b\" c")).containsExactly("ab", "c");
        assertThat(ArgumentFiles.words("C:\\x \"\"")).containsExactly("C:\\x", "");
    }

    @Test
    void aJarRunsByItsMainClassSinceJavaWouldIgnoreTheClassPath(@TempDir Path folder) throws Exception {
        Path jar = folder.resolve("app.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "app.Main");
        manifest.getMainAttributes().putValue("Add-Opens", "java.base/java.lang");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        assertThat(JdkWords.ofJava(List.of("-Dx=y", "-jar", jar.toString(), "-jar")))
                .containsSubsequence(
                        "-Dx=y",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-cp",
                        GalernaPath.classPath() + ":" + jar,
                        "app.Main",
                        "-jar");
    }
}
