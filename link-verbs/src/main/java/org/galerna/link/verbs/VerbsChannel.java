package org.galerna.link.verbs;

import org.galerna.link.support.SendRingChannel;
import org.galerna.link.verbs.connection.CompletionPoller;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.SendQueue;

/** Frames to a peer by the connection to it. */
final class VerbsChannel extends SendRingChannel {
    private final Connection connection;
    private final CompletionPoller completions;
    private final SendQueue sends;

    VerbsChannel(VerbsLink link, Connection connection, CompletionPoller completions, int maximumFrame) {
        super(link, connection.sends().ring(), maximumFrame);
        this.connection = connection;
        this.completions = completions;
        this.sends = connection.sends();
    }

    @Override
    public int peer() {
        return connection.peer();
    }

    @Override
    protected boolean isUp() {
        return connection.isUp();
    }

    @Override
    protected boolean isGone() {
        return connection.state() == Connection.State.GONE;
    }

    @Override
    protected void send() {
        sends.flush();
    }

    @Override
    protected boolean isBlocked() {
        return sends.isBlocked();
    }

    @Override
    protected void makeRoom() {
        completions.take();
        sends.reclaim();
    }
}
