package org.galerna.profile.otf2;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.galerna.profile.CallKind;
import org.galerna.profile.file.RankFile;
import org.galerna.profile.file.Site;

/** The regions of a trace: one for the program, and one for each place that calls MPI. */
final class Regions {
    private static final int FUNCTION = 1;
    private static final int BARRIER = 15;
    private static final int ONE_TO_ALL = 23;
    private static final int ALL_TO_ONE = 24;
    private static final int ALL_TO_ALL = 25;
    private static final int OTHER_COLLECTIVE = 26;
    private static final int POINT_TO_POINT = 28;

    /** The operations in the order of the format's numbers. */
    private static final List<String> OPERATIONS = List.of(
            "barrier",
            "bcast",
            "gather",
            "gatherv",
            "scatter",
            "scatterv",
            "allgather",
            "allgatherv",
            "alltoall",
            "alltoallv",
            "alltoallw",
            "allreduce",
            "reduce",
            "reduce_scatter",
            "scan",
            "exscan");

    /** Region of the program. */
    static final int PROGRAM = 0;

    private final Map<Site, Integer> ids = new LinkedHashMap<>();

    Regions(List<RankFile> files) {
        files.stream().flatMap(file -> file.sites().stream()).forEach(site -> ids.putIfAbsent(site, ids.size() + 1));
    }

    int of(Site site) {
        return ids.getOrDefault(site, PROGRAM);
    }

    /** Defines them. */
    void define(Definitions definitions, String program) throws IOException {
        definitions.region(program, "the program", "", 0, FUNCTION, Paradigms.USER);
        for (Site site : ids.keySet()) {
            String place = site.place();
            int colon = place.lastIndexOf(':');
            String method = colon < 0 ? place : place.substring(0, colon);
            String source = method.substring(0, Math.max(0, method.lastIndexOf('.')));
            int line = colon < 0 ? 0 : Integer.parseInt(place.substring(colon + 1));
            definitions.region("MPI_" + site.call(), site.words(), source, line, roleOf(site), Paradigms.MPI);
        }
    }

    /** The number of a collective operation. */
    static int operationOf(Site site) {
        return Math.max(0, OPERATIONS.indexOf(site.call().toLowerCase(Locale.ROOT)));
    }

    private static int roleOf(Site site) {
        return switch (site.kind()) {
            case SEND, RECEIVE, WAIT -> POINT_TO_POINT;
            case SETUP -> FUNCTION;
            case COLLECTIVE -> CallKind.isTogether(site.call()) ? roleOfCollective(site.call()) : OTHER_COLLECTIVE;
        };
    }

    private static int roleOfCollective(String call) {
        return switch (call) {
            case "Barrier" -> BARRIER;
            case "Bcast", "Scatter", "Scatterv" -> ONE_TO_ALL;
            case "Gather", "Gatherv", "Reduce" -> ALL_TO_ONE;
            case "Scan", "Exscan" -> OTHER_COLLECTIVE;
            default -> ALL_TO_ALL;
        };
    }
}
