/** Programs that use package {@code mpi} as users do. */
module org.galerna.applications {
    requires java.management;
    requires static org.jspecify;
    requires org.galerna.mpj;
    requires java.desktop;
    requires me.tongfei.progressbar;

    exports org.galerna.applications;
    exports org.galerna.applications.cosmology;
    exports org.galerna.applications.fdtd;
    exports org.galerna.applications.lu;
    exports org.galerna.applications.molecular;
    exports org.galerna.applications.nas;
}
