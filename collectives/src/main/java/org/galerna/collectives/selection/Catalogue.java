package org.galerna.collectives.selection;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.allgather.BruckAllgather;
import org.galerna.collectives.allgather.DirectAllgather;
import org.galerna.collectives.allgather.NeighborExchangeAllgather;
import org.galerna.collectives.allgather.RecursiveDoublingAllgather;
import org.galerna.collectives.allgather.RingAllgather;
import org.galerna.collectives.allgather.SlotAllgather;
import org.galerna.collectives.allgather.TwoLevelAllgather;
import org.galerna.collectives.allreduce.DirectAllreduce;
import org.galerna.collectives.allreduce.RabenseifnerAllreduce;
import org.galerna.collectives.allreduce.RecursiveDoublingAllreduce;
import org.galerna.collectives.allreduce.ReduceBroadcastAllreduce;
import org.galerna.collectives.allreduce.RingAllreduce;
import org.galerna.collectives.allreduce.SegmentedRingAllreduce;
import org.galerna.collectives.allreduce.SlotAllreduce;
import org.galerna.collectives.allreduce.TwoLevelAllreduce;
import org.galerna.collectives.alltoall.BruckAlltoall;
import org.galerna.collectives.alltoall.DirectAlltoall;
import org.galerna.collectives.alltoall.LinearAlltoall;
import org.galerna.collectives.alltoall.PairwiseAlltoall;
import org.galerna.collectives.alltoall.SlotAlltoall;
import org.galerna.collectives.alltoall.TwoLevelAlltoall;
import org.galerna.collectives.alltoall.VaryingBruckAlltoall;
import org.galerna.collectives.barrier.DisseminationBarrier;
import org.galerna.collectives.barrier.FlagBarrier;
import org.galerna.collectives.barrier.TreeBarrier;
import org.galerna.collectives.barrier.TwoLevelBarrier;
import org.galerna.collectives.broadcast.BinomialBroadcast;
import org.galerna.collectives.broadcast.ChainBroadcast;
import org.galerna.collectives.broadcast.DirectBroadcast;
import org.galerna.collectives.broadcast.LinearBroadcast;
import org.galerna.collectives.broadcast.ScatterAllgatherBroadcast;
import org.galerna.collectives.broadcast.SlotBroadcast;
import org.galerna.collectives.broadcast.TwoLevelBroadcast;
import org.galerna.collectives.gather.BinomialGather;
import org.galerna.collectives.gather.DirectGather;
import org.galerna.collectives.gather.LinearGather;
import org.galerna.collectives.gather.SlotGather;
import org.galerna.collectives.gather.TwoLevelGather;
import org.galerna.collectives.reduce.BinomialReduce;
import org.galerna.collectives.reduce.DirectReduce;
import org.galerna.collectives.reduce.OrderedReduce;
import org.galerna.collectives.reduce.RabenseifnerReduce;
import org.galerna.collectives.reduce.SlotReduce;
import org.galerna.collectives.reduce.TwoLevelReduce;
import org.galerna.collectives.reducescatter.DirectReduceScatter;
import org.galerna.collectives.reducescatter.OrderedReduceScatter;
import org.galerna.collectives.reducescatter.PairwiseReduceScatter;
import org.galerna.collectives.reducescatter.RecursiveHalvingReduceScatter;
import org.galerna.collectives.reducescatter.SlotReduceScatter;
import org.galerna.collectives.reducescatter.TwoLevelReduceScatter;
import org.galerna.collectives.scan.DirectScan;
import org.galerna.collectives.scan.LinearScan;
import org.galerna.collectives.scan.RecursiveDoublingScan;
import org.galerna.collectives.scan.SlotScan;
import org.galerna.collectives.scan.TwoLevelScan;
import org.galerna.collectives.scatter.BinomialScatter;
import org.galerna.collectives.scatter.DirectScatter;
import org.galerna.collectives.scatter.LinearScatter;
import org.galerna.collectives.scatter.SlotScatter;
import org.galerna.collectives.scatter.TwoLevelScatter;

/** All algorithms, by the operation that they serve. */
public final class Catalogue {
    private static final List<Barrier> BARRIERS =
            List.of(new DisseminationBarrier(), new TreeBarrier(), new TwoLevelBarrier(), new FlagBarrier());
    private static final List<Broadcast> BROADCASTS = List.of(
            new LinearBroadcast(),
            new BinomialBroadcast(),
            new ChainBroadcast(),
            new ScatterAllgatherBroadcast(),
            new TwoLevelBroadcast(),
            new SlotBroadcast(),
            new DirectBroadcast());
    private static final List<Gather> VARYING_GATHERS =
            List.of(new LinearGather(), new TwoLevelGather(true), new DirectGather());
    private static final List<Gather> GATHERS = List.of(
            new LinearGather(), new BinomialGather(), new TwoLevelGather(false), new SlotGather(), new DirectGather());
    private static final List<Scatter> VARYING_SCATTERS =
            List.of(new LinearScatter(), new TwoLevelScatter(true), new DirectScatter());
    private static final List<Scatter> SCATTERS = List.of(
            new LinearScatter(),
            new BinomialScatter(),
            new TwoLevelScatter(false),
            new SlotScatter(),
            new DirectScatter());
    private static final List<Allgather> VARYING_ALLGATHERS = List.of(
            new RingAllgather(),
            new NeighborExchangeAllgather(),
            new BruckAllgather(),
            new TwoLevelAllgather(),
            new SlotAllgather(),
            new DirectAllgather());
    private static final List<Allgather> ALLGATHERS =
            and(VARYING_ALLGATHERS, List.of(new RecursiveDoublingAllgather()));
    private static final List<Alltoall> VARYING_ALLTOALLS = List.of(
            new LinearAlltoall(),
            new PairwiseAlltoall(),
            new VaryingBruckAlltoall(),
            new TwoLevelAlltoall(true),
            new DirectAlltoall());
    private static final List<Alltoall> ALLTOALLS = List.of(
            new LinearAlltoall(),
            new PairwiseAlltoall(),
            new BruckAlltoall(),
            new TwoLevelAlltoall(false),
            new SlotAlltoall(),
            new DirectAlltoall());
    private static final List<Reduce> REDUCES = List.of(
            new BinomialReduce(),
            new OrderedReduce(),
            new RabenseifnerReduce(),
            new TwoLevelReduce(),
            new SlotReduce(),
            new DirectReduce());
    private static final List<Allreduce> ALLREDUCES = List.of(
            new RecursiveDoublingAllreduce(),
            new ReduceBroadcastAllreduce(),
            new RingAllreduce(),
            new SegmentedRingAllreduce(),
            new RabenseifnerAllreduce(),
            new TwoLevelAllreduce(),
            new SlotAllreduce(),
            new DirectAllreduce());
    private static final List<ReduceScatter> REDUCE_SCATTERS = List.of(
            new RecursiveHalvingReduceScatter(),
            new PairwiseReduceScatter(),
            new OrderedReduceScatter(),
            new TwoLevelReduceScatter(),
            new SlotReduceScatter(),
            new DirectReduceScatter());
    private static final List<Scan> SCANS = List.of(
            new LinearScan(), new RecursiveDoublingScan(), new TwoLevelScan(), new SlotScan(), new DirectScan());

    private Catalogue() {}

    private static <A> List<A> and(List<A> some, List<A> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    /** The algorithms of an operation; at least one. */
    public static List<? extends Algorithm> algorithms(Operation operation) {
        return switch (operation) {
            case BARRIER -> BARRIERS;
            case BCAST -> BROADCASTS;
            case GATHER -> GATHERS;
            case GATHERV -> VARYING_GATHERS;
            case SCATTER -> SCATTERS;
            case SCATTERV -> VARYING_SCATTERS;
            case ALLGATHER -> ALLGATHERS;
            case ALLGATHERV -> VARYING_ALLGATHERS;
            case ALLTOALL -> ALLTOALLS;
            case ALLTOALLV -> VARYING_ALLTOALLS;
            case REDUCE -> REDUCES;
            case ALLREDUCE -> ALLREDUCES;
            case REDUCE_SCATTER -> REDUCE_SCATTERS;
            case SCAN, EXSCAN -> SCANS;
        };
    }

    /**
     * An algorithm by its name.
     *
     * @throws IllegalArgumentException if there is none of that name; the message lists them
     */
    public static Algorithm find(Operation operation, String name) {
        for (Algorithm algorithm : algorithms(operation)) {
            if (algorithm.name().equals(name)) {
                return algorithm;
            }
        }
        throw new IllegalArgumentException("no algorithm named \"" + name + "\" for " + operation + "; there are "
                + algorithms(operation).stream().map(Algorithm::name).collect(Collectors.joining(", ")));
    }
}
