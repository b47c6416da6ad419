package org.galerna.cli.usage;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
public final class Version implements IVersionProvider {
    private static final String UNPACKAGED = "(not packaged)";

    /** The version of Galerna. */
    public static String ofGalerna() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? UNPACKAGED : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "galerna " + ofGalerna(), "on Java " + Runtime.version() + ", " + System.getProperty("java.vm.name", "")
        };
    }
}
