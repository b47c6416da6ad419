/** Rings, layouts, fences and waiting. */
module org.galerna.memory {
    requires org.galerna.nativeaccess;
    requires static org.jspecify;

    exports org.galerna.memory;
    exports org.galerna.memory.idle;
}
