/** Rings, layouts, fences and waiting. */
module org.galerna.memory {
    requires static org.jspecify;

    exports org.galerna.memory;
}
