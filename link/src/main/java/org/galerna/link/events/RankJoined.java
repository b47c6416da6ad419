package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A rank of this process communicates from now on. */
@Name("org.galerna.RankJoined")
@Label("Rank Joined")
@Category({"Galerna", "Connections"})
@Description("A rank of this process has joined its job")
@StackTrace(false)
final class RankJoined extends Event {
    @Label("Rank")
    int rank;

    @Label("Ranks")
    @Description("Number of ranks of the job")
    int ranks;

    @Label("Device")
    String device = "";

    @Label("Job")
    String job = "";

    static void commit(int rank, int ranks, String device, String job) {
        RankJoined event = new RankJoined();
        event.rank = rank;
        event.ranks = ranks;
        event.device = device;
        event.job = job;
        event.commit();
    }
}
