package org.galerna.messaging;

/** What Jazzer calls, with bytes that it makes up by what they reach. */
public final class FuzzDriver {
    /** System property: name of the class of the {@link FuzzTarget}. */
    static final String TARGET_PROPERTY = "fuzz.target";

    private static final FuzzTarget TARGET = FuzzTarget.of(System.getProperty(TARGET_PROPERTY, ""));

    private FuzzDriver() {}

    /** Called by its name. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        TARGET.read(bytes);
    }
}
