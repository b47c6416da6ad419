package org.galerna.messaging.support;

import java.lang.System.Logger;
import org.galerna.link.process.OwnLog;

/** The log of all nodes of this process, by the name of what users see of a node. */
public final class NodeLog {
    /** Where nodes log. */
    public static final Logger LOGGER = OwnLog.of("org.galerna.messaging.MessagingNode");

    private NodeLog() {}
}
