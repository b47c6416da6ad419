package org.galerna.messaging;

import java.util.ArrayList;
import java.util.List;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

/** Nodes that are processes, of which one is killed, where there is an adapter: {@link AdapterTest} runs it. */
class VerbsProcessesSuite extends ProcessesTest {
    @Override
    List<String> javaOptions() {
        List<String> options = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx300m"));
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("galerna.") || name.startsWith("test."))
                .forEach(name -> options.add("-D" + name + "=" + System.getProperty(name)));
        return options;
    }

    @Fault(
            value = {17, 20},
            on = Fault.Where.VERBS)
    @Test
    void whatAKilledNodeHasNotReceivedIsReportedOverVerbs() throws Exception {
        killANode("verbs");
    }
}
