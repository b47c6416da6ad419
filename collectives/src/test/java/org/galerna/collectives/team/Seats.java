package org.galerna.collectives.team;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.galerna.device.Device;
import org.galerna.device.RankList;
import org.galerna.device.SharedCondition;
import org.galerna.device.SharedHeap;
import org.galerna.link.Collective;
import org.galerna.link.process.ProcessFence;
import org.galerna.memory.AsymmetricFence;

/** The members of a team on a heap without links, where waiting is looking again. */
final class Seats implements SharedHeap {
    private final Map<Object, Object> shared = new HashMap<>();

    /** The seat of a member of a team of so many; to be called for all, by one thread. */
    HeapMember seat(int member, int members) {
        int[] ranks = new int[members];
        for (int rank = 0; rank < members; rank++) {
            ranks[rank] = rank;
        }
        Device device = (Device) Proxy.newProxyInstance(
                Device.class.getClassLoader(),
                new Class<?>[] {Device.class},
                (_, method, _) -> switch (method.getName()) {
                    case "converse" -> null;
                    case "rank" -> member;
                    case "sharedHeap" -> this;
                    default -> throw new IllegalStateException(method + " is not needed here");
                });
        Team team = new Team(device, RankList.of(ranks), 1);
        team.begin("stress", () -> "slots", 1, Collective.NONE, Collective.NONE);
        return team.seat();
    }

    @Override
    public <T> T meet(Class<T> type, Object key, int parties, Supplier<T> maker) {
        return type.cast(shared.computeIfAbsent(key, _ -> maker.get()));
    }

    @Override
    public void enter() {}

    @Override
    public void await(SharedCondition condition) {
        for (int look = 0; !condition.isDone(); look++) {
            if (look > 100) {
                Thread.yield();
            }
        }
    }

    @Override
    public void wakeUp(int rank) {}

    @Override
    public AsymmetricFence sleepFence() {
        return ProcessFence.instance();
    }
}
