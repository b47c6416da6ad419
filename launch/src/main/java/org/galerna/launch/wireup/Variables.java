package org.galerna.launch.wireup;

import java.io.IOException;
import java.util.Map;

/** Reads variables of the environment. */
final class Variables {
    private Variables() {}

    /** A number from 0. */
    static int number(Map<String, String> environment, String name) throws IOException {
        String value = environment.get(name);
        if (value == null) {
            throw new IOException("the environment has no " + name);
        }
        if (!value.matches("\\d{1,9}")) {
            throw new IOException(name + " must be a number, not \"" + value + "\"");
        }
        return Integer.parseInt(value);
    }
}
