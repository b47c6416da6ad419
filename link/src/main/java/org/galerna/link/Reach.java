package org.galerna.link;

/** How far apart ranks may be that a link or a device connects, the nearest first. */
public enum Reach {
    /** Ranks that are threads of one process. */
    PROCESS("threads of one process"),

    /** Ranks on one host. */
    HOST("ranks on one host"),

    /** Ranks on any hosts. */
    NETWORK("ranks on any hosts");

    private final String words;

    Reach(String words) {
        this.words = words;
    }

    /** What it connects, in words. */
    public String words() {
        return words;
    }
}
