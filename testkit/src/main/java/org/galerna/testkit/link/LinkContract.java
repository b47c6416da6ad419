package org.galerna.testkit.link;

/**
 * What every link has to keep, whatever network it is for. A link's module extends this class in its tests and says how
 * its links are opened.
 */
public abstract class LinkContract implements LinkFrames, LinkConnecting, LinkRegions, LinkWaiting, LinkLife {
    /** For subclasses. */
    protected LinkContract() {}
}
