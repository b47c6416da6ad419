/** The mpiJava 1.2 API over the device and the collectives. */
module org.galerna.mpj {
    requires static org.jspecify;
    requires transitive org.galerna.device;
    requires org.galerna.collectives;
    requires org.galerna.link;
}
