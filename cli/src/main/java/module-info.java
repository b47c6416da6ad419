/** The galerna command. */
module org.galerna.cli {
    requires static org.jspecify;
    requires org.galerna.bench;
    requires org.galerna.launch;
    requires info.picocli;
}
