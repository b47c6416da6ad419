package org.galerna.nativeaccess.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class ProcessNicenessTest {
    private static final int MOST = 19;

    /** Says how nice it is when it has read a line. */
    private static Process shell() throws IOException {
        return new ProcessBuilder("sh", "-c", "read line; exec nice").start();
    }

    private static int niceness(Process shell) throws IOException {
        shell.getOutputStream().write('\n');
        shell.getOutputStream().flush();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Integer.parseInt(said.strip());
    }

    @Test
    void ofTheCallerIsInherited() throws Exception {
        assertThat(niceness(shell())).isEqualTo(ProcessNiceness.ofCaller());
    }

    @Test
    void isSetAndInherited() throws Exception {
        int more = ProcessNiceness.ofCaller() + 1;
        assumeTrue(more <= MOST);
        Process shell = shell();
        ProcessNiceness.set(shell.pid(), more);
        assertThat(niceness(shell)).isEqualTo(more);
    }

    @Test
    void isNeverTakenBack() throws Exception {
        Process shell = shell();
        ProcessNiceness.set(shell.pid(), MOST + 1);
        ProcessNiceness.set(shell.pid(), 0);
        assertThat(niceness(shell)).isEqualTo(MOST);
    }

    @Test
    void nothingHappensWhereThereIsNoProcess() throws Exception {
        int own = ProcessNiceness.ofCaller();
        Process over = new ProcessBuilder("true").start();
        over.waitFor();
        ProcessNiceness.set(over.pid(), MOST);
        ProcessNiceness.set(0, MOST);
        assertThat(ProcessNiceness.ofCaller()).isEqualTo(own);
    }
}
