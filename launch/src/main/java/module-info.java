import org.galerna.launch.LaunchSettingNames;
import org.galerna.launch.process.PlainStart;
import org.galerna.launch.wireup.PalsWireup;
import org.galerna.launch.wireup.Pmi1Wireup;
import org.galerna.launch.wireup.Pmi2Wireup;
import org.galerna.launch.wireup.PmixWireup;
import org.galerna.launch.wireup.SlurmWireup;
import org.galerna.link.settings.SettingNames;
import org.galerna.link.wireup.WireupProvider;

/** Running ranks: as threads with class loaders of their own, or as processes on one host or several. */
module org.galerna.launch {
    requires static java.instrument;
    requires static org.jspecify;
    requires java.management;
    requires static java.logging;
    requires static java.sql;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires transitive org.galerna.link;

    uses java.net.spi.URLStreamHandlerProvider;
    uses java.sql.Driver;

    exports org.galerna.launch;
    exports org.galerna.launch.process;
    exports org.galerna.launch.report;

    provides SettingNames with
            LaunchSettingNames;
    provides WireupProvider with
            Pmi1Wireup,
            Pmi2Wireup,
            PmixWireup,
            PalsWireup,
            SlurmWireup,
            PlainStart;
}
