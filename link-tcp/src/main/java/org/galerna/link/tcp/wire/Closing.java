package org.galerna.link.tcp.wire;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Closing what is given up anyway. */
public final class Closing {
    private Closing() {}

    /** Closes what is there; a failure to close concerns nobody any more. */
    public static void quietly(@Nullable AutoCloseable resource) {
        if (resource == null) {
            return;
        }
        try {
            resource.close();
        } catch (IOException ignored) {
            // the system has given the connection up already
        } catch (Exception impossible) {
            throw new IllegalStateException("closing " + resource + " failed", impossible);
        }
    }
}
