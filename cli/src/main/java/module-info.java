/** The galerna command. */
module org.galerna.cli {
    requires static org.jspecify;
    requires org.galerna.applications;
    requires org.galerna.bench;
    requires org.galerna.collectives;
    requires org.galerna.device;
    requires org.galerna.launch;
    requires org.galerna.link;
    requires org.galerna.memory;
    requires org.galerna.mpi;
    requires org.galerna.mpj;
    requires org.galerna.nativeaccess;
    requires org.galerna.profile;
    requires org.galerna.sockets;
    requires info.picocli;
    requires tools.jackson.databind;
    requires java.compiler;
    requires static jdk.attach;
    requires static jdk.jfr;
    requires jdk.compiler;
    requires jdk.management;

    opens org.galerna.cli to
            info.picocli;
    opens org.galerna.cli.bench to
            info.picocli;
    opens org.galerna.cli.doctor to
            info.picocli;
    opens org.galerna.cli.observe to
            info.picocli;
    opens org.galerna.cli.options to
            info.picocli;
    opens org.galerna.cli.profile to
            info.picocli;
    opens org.galerna.cli.run to
            info.picocli;
    opens org.galerna.cli.usage to
            info.picocli;
}
