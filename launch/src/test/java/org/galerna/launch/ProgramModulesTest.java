package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramModulesTest {
    @TempDir
    Path folder;

    private ProgramModules modules;

    @BeforeEach
    void compile() {
        Programs.compile(folder, "module app {}", "package app; public class Main {}");
        modules = new ProgramModules(folder.toString(), List.of());
    }

    private ProgramModules.InOneMachine divided(String... options) {
        return modules.inOneMachine(List.of(options), "app/app.Main");
    }

    @Test
    void optionsAboutTheJdkAreTheVirtualMachines() {
        List<String> options = List.of(
                "-Xmx1g",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/sun.security.x509=java.sql",
                "--add-modules=java.sql",
                "--enable-native-access=ALL-UNNAMED");
        ProgramModules.InOneMachine divided = divided(options.toArray(String[]::new));
        assertThat(divided.jvmOptions()).isEqualTo(options);
        assertThat(divided.modules()).isEqualTo(modules);
    }

    @Test
    void optionsAboutModulesOfTheProgramAreTheRanks() {
        ProgramModules.InOneMachine divided = divided(
                "--add-opens=app/app=ALL-UNNAMED",
                "--add-reads=app=java.sql",
                "--add-modules=ALL-MODULE-PATH,java.sql");
        assertThat(divided.jvmOptions()).containsExactly("--add-modules=java.sql");
        assertThat(divided.modules().options())
                .containsExactly(
                        "--add-opens=app/app=ALL-UNNAMED", "--add-reads=app=java.sql", "--add-modules=ALL-MODULE-PATH");
    }

    /** The virtual machine opens the package to Galerna, which opens it to the modules. */
    @Test
    void aPackageOfTheJdkIsOpenedToModulesByWayOfGalerna() {
        ProgramModules.InOneMachine divided = divided("--add-exports=java.base/sun.security.x509=app");
        assertThat(divided.jvmOptions()).containsExactly("--add-opens=java.base/sun.security.x509=ALL-UNNAMED");
        assertThat(divided.modules().options()).containsExactly("--add-exports=java.base/sun.security.x509=app");
    }

    @Test
    void whatRanksInOneMachineCannotHaveIsRefused() {
        assertThatThrownBy(() -> divided("--patch-module=app=elsewhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--patch-module=app=elsewhere", "--procs");
    }

    @Test
    void theMainClassIsNamedByTheModuleOrTheUser() {
        assertThat(modules.mainOf("app/app.Main")).isEqualTo("app/app.Main");
        assertThatThrownBy(() -> modules.mainOf("app")).hasMessageContaining("-m app/CLASS");
        assertThatThrownBy(() -> modules.mainOf("ap")).hasMessageContainingAll("no module ap", "only app");
    }
}
