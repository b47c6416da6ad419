/** Running ranks: as threads with class loaders of their own, later as processes. */
module org.galerna.launch {
    requires static org.jspecify;
    requires org.galerna.device;
    requires org.galerna.link;
    requires org.galerna.nativeaccess;
}
