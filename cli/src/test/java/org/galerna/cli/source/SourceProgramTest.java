package org.galerna.cli.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceProgramTest {
    @TempDir
    private Path folder;

    private final StringWriter errors = new StringWriter();

    private Path write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private SourceProgram compile(Path file, String... jvmOptions) {
        return SourceProgram.compile(
                file, System.getProperty("java.class.path"), "", List.of(jvmOptions), new PrintWriter(errors, true));
    }

    @Test
    void otherClassesAreFoundByTheirPackages() throws Exception {
        Path main = write("src/app/Main.java", """
                package app;
                class Main { public static void main(String[] args) { new app.part.Tool(); Near.call(); } }
                class Beside {}
                """);
        write("src/app/Near.java", "package app; class Near { static void call() {} }");
        write("src/app/part/Tool.java", "package app.part; public class Tool { Inner inner; static class Inner {} }");
        write("src/app/Broken.java", "package app; this is not Java");
        SourceProgram program = compile(main);
        assertThat(program.mainClass()).isEqualTo("app.Main");
        assertThat(program.classes())
                .containsOnlyKeys("app.Main", "app.Beside", "app.Near", "app.part.Tool", "app.part.Tool$Inner");
    }

    @Test
    void classesThatAreLoadedByTheirNamesAreCompiledToo() throws Exception {
        Path main = write("Main.java", """
                class Main {
                    public static void main(String[] args) throws Exception { Class.forName("plug.One"); }
                }
                """);
        write("plug/One.java", "package plug; class One { String next = \"plug.Two\"; }");
        write("plug/Two.java", "package plug; class Two {}");
        assertThat(compile(main).classes()).containsOnlyKeys("Main", "plug.One", "plug.Two");
    }

    @Test
    void theMainClassIsTheFirstThatHasAMainMethod() throws Exception {
        assertThat(compile(write("A.java", "class First { void main() {} } class A { void main() {} }"))
                        .mainClass())
                .isEqualTo("First");
        assertThat(compile(write("B.java", "class First {} class B { void main() {} }"))
                        .mainClass())
                .isEqualTo("B");
        assertThat(compile(write(
                                "c.java",
                                "class Base { public static void main(String[] a) {} } class C extends Base {}"))
                        .mainClass())
                .isEqualTo("Base");
        assertThat(compile(write("D.java", "class D extends Parent {} class Parent { void main() {} }"))
                        .mainClass())
                .isEqualTo("D");
        assertThat(compile(write("E.java", "void main() { IO.println(1); }")).mainClass())
                .isEqualTo("E");
    }

    @Test
    void aFirstLineForTheShellIsPassedOver() throws Exception {
        Path main = write("Main.java", "#!/usr/bin/env -S galerna run\nclass Main { void main() { int x; } }");
        assertThat(compile(main).mainClass()).isEqualTo("Main");
    }

    @Test
    void theCompilerSaysWhatIsWrongWithFileAndLine() throws Exception {
        Path main = write("Main.java", "class Main {\n    int x = \"text\";\n}\n");
        assertThatThrownBy(() -> compile(main))
                .isInstanceOfSatisfying(
                        SourceException.class,
                        failure -> assertThat(failure.isExplained()).isTrue());
        assertThat(errors.toString())
                .contains("Main.java:2: error: incompatible types")
                .contains("1 error");
    }

    @Test
    void whatIsNotAProgramIsNamed() throws Exception {
        assertThatThrownBy(() -> compile(folder.resolve("None.java")))
                .hasMessage("there is no file " + folder.resolve("None.java"));
        Path misplaced = write("other/Main.java", "package app; class Main { void main() {} }");
        assertThatThrownBy(() -> compile(misplaced)).hasMessageContaining("does not match its package app");
        Path empty = write("Empty.java", "// nothing\n");
        assertThatThrownBy(() -> compile(empty)).hasMessageContaining("there is no class in");
        Path binary = folder.resolve("Binary.java");
        Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThatThrownBy(() -> compile(binary)).hasMessageContaining("is not a text in");
        write("mod/module-info.java", "module mod {}");
        Path ofModule = write("mod/p/Main.java", "package p; class Main { void main() {} }");
        assertThatThrownBy(() -> compile(ofModule)).hasMessageContaining("is part of a module");
    }

    @Test
    void previewFeaturesNeedTheirOptionAsForJava() throws Exception {
        Path main = write("Main.java", """
                class Main { void main() { Object o = 1; if (o instanceof int i) { IO.println(i); } } }
                """);
        assertThatThrownBy(() -> compile(main)).isInstanceOf(SourceException.class);
        assertThat(compile(main, "--enable-preview").classes()).containsOnlyKeys("Main");
    }
}
