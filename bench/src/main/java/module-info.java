/** Benchmarks of Galerna and of the systems it is compared with, and the demo. */
module org.galerna.bench {
    requires static org.jspecify;
    requires org.galerna.applications;
    requires org.galerna.mpj;
    requires org.galerna.launch;
    requires org.galerna.collectives;
    requires org.galerna.device;
    requires org.galerna.link;
    requires org.galerna.messaging;
    requires org.galerna.memory;
    requires org.galerna.nativeaccess;
    requires org.galerna.sockets;
    requires HdrHistogram;
    requires tools.jackson.databind;
    requires de.siegmar.fastcsv;
    requires java.net.http;
    requires java.rmi;
    requires jdk.httpserver;
    requires jdk.management;

    exports org.galerna.bench.build;
    exports org.galerna.bench.demo;
    exports org.galerna.bench.evaluation;
    exports org.galerna.bench.galerna;
    exports org.galerna.bench.messaging;
    exports org.galerna.bench.model;
    exports org.galerna.bench.report;
    exports org.galerna.bench.sockets;
    exports org.galerna.bench.start;
    exports org.galerna.bench.suite;
    exports org.galerna.bench.tune;

    opens org.galerna.bench.messaging to
            org.galerna.messaging;

    uses org.galerna.bench.suite.ContenderFactory;

    provides org.galerna.bench.suite.ContenderFactory with
            org.galerna.bench.peers.AeronIpc,
            org.galerna.bench.peers.AeronUdp,
            org.galerna.bench.peers.GrpcJava,
            org.galerna.bench.peers.JavaRmi,
            org.galerna.bench.peers.Mpich,
            org.galerna.bench.peers.MpichOfi,
            org.galerna.bench.peers.MpjExpress,
            org.galerna.bench.peers.NettyTcp,
            org.galerna.bench.peers.OpenMpi,
            org.galerna.bench.peers.OpenMpiJava,
            org.galerna.bench.peers.OpenMpiOfi,
            org.galerna.bench.peers.OpenMpiTwoCopies,
            org.galerna.bench.peers.OpenMpiUcx,
            org.galerna.bench.peers.TcpSockets,
            org.galerna.bench.peers.UnixSockets;
}
