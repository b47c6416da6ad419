package org.galerna.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class Version implements IVersionProvider {
    private static final String UNPACKAGED = "(not packaged)";

    /** The version of Galerna. */
    static String ofGalerna() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? UNPACKAGED : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "galerna " + ofGalerna(), "on Java " + Runtime.version() + ", " + System.getProperty("java.vm.name", "")
        };
    }
}
