package org.galerna.sockets;

/** Why a connection stays plain, or a listener cannot be found. */
public enum FallbackReason {
    /** The port is excluded, or not among those included. */
    PORT("the settings leave this port out"),
    /** Nobody who has this listens there: a program without it, or another host. */
    NO_LISTENER("nobody there has fast sockets"),
    /** The socket at the other end is not one of this network name space. */
    NOT_HERE("the connection leads out of this network name space"),
    /** The program at the other end runs as another user. */
    OTHER_USER("the program there runs as another user"),
    /** The process at the other end does not answer. */
    NO_ANSWER("the process there does not answer"),
    /** There is no room for shared memory, or it cannot be made. */
    NO_MEMORY("there is no shared memory"),
    /** The process at the other end has offered memory, and closed the connection before this one took it. */
    WITHDRAWN("the other end closed the connection before it could go through shared memory"),
    /** This process has as many fast connections as it may. */
    TOO_MANY("there are as many fast connections as there may be"),
    /** Other processes may listen at the same port, and the kernel decides who gets a connection. */
    SHARED_PORT("the port is shared with other listeners"),
    /** The connection leads to another host, and there is no key to prove to it. */
    NO_KEY("it leads to another host, and there is no key (galerna.sockets.key)"),
    /** The process at the other end has another key. */
    WRONG_KEY("the program there has another key"),
    /** It leads to another host, and no network but that of TCP joins the two. */
    NO_NETWORK("no network for this joins the two hosts"),
    /** The kernel does not tell sockets apart. */
    NO_IDENTITY("the kernel does not say whose socket it is");

    private final String text;

    FallbackReason(String text) {
        this.text = text;
    }

    /** The reason in words. */
    public String text() {
        return text;
    }
}
