package org.galerna.collectives.team;

/**
 * What serves a collective, for reports. A team remembers it, and asks for its name only where it reports one: each short collective would
 * call a method whose class the compiler does not know. Any thread may call.
 */
public interface Named {
    /** Serves a call that moves nothing. No lambda, whose class would be made in each start. */
    Named NOTHING = new Named() {
        @Override
        public String name() {
            return "";
        }
    };

    /** Name in options, reports and errors; empty for none. */
    String name();
}
