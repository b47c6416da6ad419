package org.galerna.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class Version implements IVersionProvider {
    private static final String UNPACKAGED = "(not packaged)";

    @Override
    public String[] getVersion() {
        String version = Main.class.getPackage().getImplementationVersion();
        return new String[] {
            "galerna " + (version == null ? UNPACKAGED : version),
            "on Java " + Runtime.version() + ", " + System.getProperty("java.vm.name", "")
        };
    }
}
