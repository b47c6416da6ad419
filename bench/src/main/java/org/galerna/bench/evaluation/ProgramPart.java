package org.galerna.bench.evaluation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.galerna.bench.evaluation.KernelRun.Place;
import org.galerna.bench.peers.MpjExpress;

/** The speeds of one program, and the ratios that come from them. */
abstract class ProgramPart {
    static final String RANKS = "Galerna, ranks as threads";
    static final String PROCESSES = "Galerna, processes";
    static final String SOCKETS = "Galerna, processes over sockets";

    /** Processes that share memory, and those that have sockets as older libraries do. */
    static final Place SHARED_MEMORY = new Place.Processes("shmdev");

    static final Place OVER_SOCKETS = new Place.Processes("niodev");

    static final String MPJ_EXPRESS = "MPJ Express";

    private final String title;
    private final String unit;
    private final List<Speed> speeds = new ArrayList<>();
    private final List<Headline> headlines = new ArrayList<>();

    ProgramPart(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    /** What runs on so many cores. */
    abstract List<Turns.Run> runs(int cores);

    /** How it runs on ranks in some place. */
    abstract OptionalDouble speed(int ranks, Place place);

    /** The program on ranks of Galerna, and as it is on those of MPJ Express. */
    final List<Turns.Run> onRanks(int ranks) {
        List<Turns.Run> runs = new ArrayList<>();
        runs.add(new Turns.Run(RANKS, ranks, () -> speed(ranks, new Place.Threads())));
        if (ranks > 1) {
            runs.add(new Turns.Run(PROCESSES, ranks, () -> speed(ranks, SHARED_MEMORY)));
            runs.add(new Turns.Run(SOCKETS, ranks, () -> speed(ranks, OVER_SOCKETS)));
        }
        if (new MpjExpress().unavailable().isEmpty()) {
            runs.add(new Turns.Run(MPJ_EXPRESS, ranks, () -> speed(ranks, new Place.MpjExpressThreads())));
        }
        return runs;
    }

    /** Ranks of Galerna beside those of MPJ Express. */
    final void besideMpjExpress(Paper paper, int most, double published) {
        ratio(
                paper,
                EvaluationPage.cores(most) + ": ranks as threads / MPJ Express",
                published,
                speed(RANKS, most),
                speed(MPJ_EXPRESS, most),
                new MpjExpress().unavailable().orElse("it does not run this program"));
    }

    /** Adds the ratios that papers report. */
    abstract void compare(int most);

    final void measure(List<Integer> cores, int rounds, Consumer<String> progress) {
        List<Turns.Run> runs =
                cores.stream().flatMap(number -> runs(number).stream()).toList();
        speeds.addAll(Turns.best(title, unit, runs, rounds, progress));
        for (String same : sameOnOneCore()) {
            speed(RANKS, 1).ifPresent(value -> speeds.add(new Speed(title, same, 1, value, unit)));
        }
        compare(cores.getLast());
    }

    /** Systems whose run on one core is that of a single rank. */
    List<String> sameOnOneCore() {
        return List.of(PROCESSES, SOCKETS);
    }

    final List<Speed> speeds() {
        return speeds;
    }

    final List<Headline> headlines() {
        return headlines;
    }

    final String title() {
        return title;
    }

    final Optional<Double> speed(String system, int cores) {
        return speeds.stream()
                .filter(speed -> speed.system().equals(system) && speed.cores() == cores)
                .map(Speed::value)
                .findFirst();
    }

    /** A ratio of two speeds. */
    final void ratio(
            Paper paper, String claim, double published, Optional<Double> one, Optional<Double> other, String why) {
        if (one.isEmpty() || other.isEmpty()) {
            missing(paper, claim, published, why);
        } else {
            headlines.add(Headline.of(
                    paper,
                    title + ", " + claim,
                    published,
                    one.get() / other.get(),
                    String.format(Locale.ROOT, "%.2f / %.2f %s", one.get(), other.get(), unit)));
        }
    }

    /** A ratio of two speed-ups. */
    final void speedUps(Paper paper, String one, String other, int cores, double published, String why) {
        String claim = "speed-up on " + EvaluationPage.cores(cores) + ": " + one + " / " + other;
        Optional<Double> own = speedUp(one, cores);
        Optional<Double> theirs = speedUp(other, cores);
        if (own.isEmpty() || theirs.isEmpty()) {
            missing(paper, claim, published, why);
        } else {
            headlines.add(Headline.of(
                    paper,
                    title + ", " + claim,
                    published,
                    own.get() / theirs.get(),
                    String.format(Locale.ROOT, "%.2f / %.2f", own.get(), theirs.get())));
        }
    }

    private Optional<Double> speedUp(String system, int cores) {
        return speed(system, cores).flatMap(many -> speed(system, 1).map(one -> many / one));
    }

    final void missing(Paper paper, String claim, double published, String why) {
        headlines.add(Headline.missing(paper, title + ", " + claim, published, why));
    }
}
