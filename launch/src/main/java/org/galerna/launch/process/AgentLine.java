package org.galerna.launch.process;

import org.galerna.launch.rendezvous.Message;

/** The launcher's line to one agent. */
interface AgentLine {
    /** What comes over the line. Any thread may call. */
    interface Events {
        /** The agent says something. */
        void said(Message message);

        /**
         * The line is broken.
         *
         * @param how what is known, a part of a sentence
         */
        void lost(String how);
    }

    /** Says something to the agent; without effect if the line is broken. */
    void send(Message message);

    /** Ends the agent and everything that it has started, at once; returns when nothing of them is left on this host. */
    void cut();
}
