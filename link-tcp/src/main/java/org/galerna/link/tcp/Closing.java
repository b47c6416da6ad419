package org.galerna.link.tcp;

import java.io.IOException;

/** Closing what is given up anyway. */
final class Closing {
    private Closing() {}

    /** Closes; a failure to close concerns nobody any more. */
    static void quietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (IOException ignored) {
            // the system has given the connection up already
        } catch (Exception impossible) {
            throw new IllegalStateException("closing " + resource + " failed", impossible);
        }
    }
}
