import org.galerna.link.wireup.WireupProvider;
import org.galerna.testkit.process.FolderWireupProvider;

/** Contracts that every link and every device has to pass, and harnesses for tests. */
module org.galerna.testkit {
    requires static org.jspecify;
    requires transitive org.galerna.device;
    requires transitive org.galerna.link;
    requires java.compiler;
    requires org.galerna.memory;
    requires java.management;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires org.assertj.core;
    requires org.junit.platform.launcher;

    exports org.galerna.testkit;
    exports org.galerna.testkit.device;
    exports org.galerna.testkit.faulty;
    exports org.galerna.testkit.link;
    exports org.galerna.testkit.memdev;
    exports org.galerna.testkit.pages;
    exports org.galerna.testkit.process;
    exports org.galerna.testkit.wireup;

    provides WireupProvider with
            FolderWireupProvider;
}
