package org.galerna.bench.suite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The contenders that run on one number of ranks. Those that fail leave the field, with a note. */
final class Field implements AutoCloseable {
    /** Refused by all, once they have started. */
    private static final Command READY = new Command("ready", 0, 1, 0);

    private final Map<ContenderFactory, Entrant> entrants = new LinkedHashMap<>();
    private final Set<String> notes;

    /**
     * Starts all that this machine can run.
     *
     * @param notes takes what a reader must know
     */
    Field(List<ContenderFactory> factories, int ranks, Set<String> notes) {
        this.notes = notes;
        for (ContenderFactory factory : factories) {
            factory.unavailable()
                    .ifPresentOrElse(
                            reason -> note(factory.name() + " is left out: " + reason), () -> start(factory, ranks));
        }
        // who still starts would disturb who is measured already
        for (Entrant entrant : List.copyOf(entrants.values())) {
            boolean unused = attempt(entrant, () -> awaitStart(entrant));
        }
    }

    private void start(ContenderFactory factory, int ranks) {
        try {
            entrants.put(factory, new Entrant(factory.start(ranks), factory));
        } catch (ContenderException failed) {
            note(factory.name() + " is left out on " + ranks + " ranks: " + failed.getMessage());
        }
    }

    private static void awaitStart(Entrant entrant) {
        Answer unused = entrant.contender().run(READY);
    }

    /** Tells a reader something; saying it again has no effect. */
    void note(String text) {
        notes.add(text);
    }

    /** Those of the factories that are still in the field, in that order. */
    List<Entrant> of(List<ContenderFactory> factories) {
        List<Entrant> present = new ArrayList<>();
        for (ContenderFactory factory : factories) {
            Entrant entrant = entrants.get(factory);
            if (entrant != null) {
                present.add(entrant);
            }
        }
        return present;
    }

    /**
     * Does something with an entrant.
     *
     * @return false if the entrant failed and has left the field
     */
    boolean attempt(Entrant entrant, Runnable step) {
        try {
            step.run();
            return true;
        } catch (ContenderException failed) {
            note(String.valueOf(failed.getMessage()));
            entrants.values().remove(entrant);
            entrant.contender().close();
            return false;
        }
    }

    @Override
    public void close() {
        entrants.values().forEach(entrant -> entrant.contender().close());
        entrants.clear();
    }
}
