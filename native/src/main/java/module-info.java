/** Bindings to C libraries. */
module org.galerna.nativeaccess {
    requires static org.jspecify;

    exports org.galerna.nativeaccess;
    exports org.galerna.nativeaccess.ofi;
    exports org.galerna.nativeaccess.ucx;
    exports org.galerna.nativeaccess.verbs;
}
