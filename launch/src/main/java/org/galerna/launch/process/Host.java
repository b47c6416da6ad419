package org.galerna.launch.process;

import java.util.OptionalInt;

/**
 * A host to run ranks on.
 *
 * @param name a name, an address, or either with a user before it, as ssh takes it
 * @param slots how many ranks it is to have at most; empty if nobody has said so
 */
public record Host(String name, OptionalInt slots) {
    /** This host, with as many ranks as there are. */
    static final Host HERE = new Host("localhost", OptionalInt.empty());
}
