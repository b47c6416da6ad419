package org.galerna.link.tcp.wire;

/** What protects the bytes between two ranks on their way. */
public interface Security {
    /** System property: whether the links over TCP use TLS, {@code true} or {@code false}. */
    String PROPERTY = "galerna.tls";

    /** Nothing does: who can listen on the network can read, and who can change its packets can change messages. */
    Security NONE = new Security() {
        @Override
        public String name() {
            return "no TLS";
        }

        @Override
        public Wire over(Wire socket, boolean initiator) {
            return socket;
        }
    };

    /** What peers have to have in common, in words. */
    String name();

    /** How many times longer it may take to open a connection than without. */
    default int patience() {
        return 1;
    }

    /**
     * A wire that protects what it carries over another one.
     *
     * @param initiator whether this rank has opened the connection
     */
    Wire over(Wire socket, boolean initiator);

    /**
     * What the system properties ask for.
     *
     * @throws org.galerna.link.CommunicationException if that cannot be had
     */
    static Security fromSystemProperties() {
        String wanted = System.getProperty(PROPERTY, "false").strip();
        return switch (wanted) {
            case "true" -> Tls.fromSystemProperties();
            case "false" -> NONE;
            default -> throw new IllegalArgumentException(PROPERTY + " must be true or false, not \"" + wanted + "\"");
        };
    }
}
