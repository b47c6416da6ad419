package org.galerna.bench.evaluation;

/** The papers whose ratios are measured again. */
public enum Paper {
    /** Ranks that are threads. */
    SMDEV(
            "smdev",
            "S. Ramos and others: Design of scalable Java communication middleware for multi-core systems, The Computer "
                    + "Journal, 2013"),

    /** MPJ Express over InfiniBand. */
    IBVDEV(
            "ibvdev",
            "R. R. Expósito and others: Design of scalable Java message-passing communications over InfiniBand, The Journal "
                    + "of Supercomputing, 2012"),

    /** FastMPJ over adapters with remote memory access. */
    RDMA(
            "rdma",
            "R. R. Expósito and others: Low-latency Java communication devices on RDMA-enabled networks, Concurrency and "
                    + "Computation, 2015"),

    /** Sockets. */
    SOCKETS(
            "fast-sockets",
            "G. L. Taboada and others: Java Fast Sockets: Enabling high-speed Java communications on high performance "
                    + "clusters, Computer Communications, 2008"),

    /** Object messaging. */
    DXNET(
            "dxnet",
            "S. Nothaas and others: Ibdxnet: Leveraging InfiniBand in Highly Concurrent Java Applications, 2018");

    private final String word;
    private final String citation;

    Paper(String word, String citation) {
        this.word = word;
        this.citation = citation;
    }

    /** Its name in tables. */
    public String word() {
        return word;
    }

    /** Authors, title and year. */
    public String citation() {
        return citation;
    }
}
