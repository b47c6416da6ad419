package org.galerna.profile.otf2;

import java.util.List;
import org.galerna.profile.file.RankFile;
import org.galerna.profile.file.Site;

/**
 * How many bytes a rank gives to a collective operation and gets from it, by the arguments of its call. What the root has in its own
 * buffer counts, too.
 */
record CollectiveVolume(long given, long gotten) {
    static CollectiveVolume of(Site site, RankFile.Call call, List<Integer> members, int rank) {
        long ranks = members.size();
        boolean isRoot = members.indexOf(rank) == call.root();
        long given = call.given();
        long gotten = call.gotten();
        return switch (site.call()) {
            case "Bcast" -> isRoot ? new CollectiveVolume(given, 0) : new CollectiveVolume(0, gotten);
            case "Gather" -> new CollectiveVolume(given, isRoot ? ranks * gotten : 0);
            case "Gatherv", "Reduce" -> new CollectiveVolume(given, isRoot ? gotten : 0);
            case "Scatter" -> new CollectiveVolume(isRoot ? ranks * given : 0, gotten);
            case "Scatterv" -> new CollectiveVolume(isRoot ? given : 0, gotten);
            case "Allgather" -> new CollectiveVolume(given, ranks * gotten);
            case "Alltoall" -> new CollectiveVolume(ranks * given, ranks * gotten);
            default -> new CollectiveVolume(given, gotten);
        };
    }
}
