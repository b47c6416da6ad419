/** Bindings to C libraries. */
module org.galerna.nativeaccess {
    requires static org.jspecify;

    exports org.galerna.nativeaccess.cache;
    exports org.galerna.nativeaccess.file;
    exports org.galerna.nativeaccess.library;
    exports org.galerna.nativeaccess.memory;
    exports org.galerna.nativeaccess.ofi;
    exports org.galerna.nativeaccess.pmix;
    exports org.galerna.nativeaccess.process;
    exports org.galerna.nativeaccess.socket;
    exports org.galerna.nativeaccess.thread;
    exports org.galerna.nativeaccess.ucx;
    exports org.galerna.nativeaccess.verbs;
}
