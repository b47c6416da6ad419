package org.galerna.nativeaccess.verbs;

/**
 * A port of an adapter.
 *
 * @param number from 1
 * @param state as in {@code enum ibv_port_state}
 * @param mtu bytes of a packet, 256 to 4096
 * @param gids length of its table of GIDs
 * @param maximumMessage longest message, in bytes
 * @param lid local identifier, 0 on Ethernet
 * @param ethernet whether its link is Ethernet: RoCE or iWARP
 */
public record Port(int number, int state, int mtu, int gids, long maximumMessage, int lid, boolean ethernet) {
    private static final int ACTIVE = 4;

    /** Whether it can be used. */
    public boolean isActive() {
        return state == ACTIVE;
    }

    /** The state in words. */
    public String describeState() {
        return switch (state) {
            case 1 -> "down";
            case 2 -> "initializing (no subnet manager has seen it yet)";
            case 3 -> "armed";
            case ACTIVE -> "active";
            case 5 -> "active, deferred";
            default -> "unknown (" + state + ")";
        };
    }
}
