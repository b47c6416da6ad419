package org.galerna.launch.process;

import org.galerna.launch.rendezvous.Message;

/** The agent of the launcher's own host, which is a part of the launcher. */
final class LocalAgent implements AgentLine {
    private final Agent agent;

    /**
     * An agent that waits to be told what to start.
     *
     * @param ownsInput whether rank 0 gets the standard input of this process as it is
     */
    LocalAgent(Events events, boolean ownsInput) {
        this.agent = new Agent(events::said, ownsInput);
    }

    @Override
    public void send(Message message) {
        agent.accept(message);
    }

    @Override
    public void cut() {
        agent.kill();
    }
}
