/** Ranks started from Java: in a main method, an IDE, a unit test. */
module org.galerna.ranks {
    requires static org.jspecify;
    requires org.galerna.device;
    requires org.galerna.launch;
    requires transitive org.galerna.mpj;

    exports org.galerna.ranks;
}
