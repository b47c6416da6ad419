package org.galerna.launch.place;

import java.util.List;
import java.util.stream.Stream;

/**
 * Methods of Galerna that the better compiler compiles once, and calls, in place of compiling a copy of them into each method that calls
 * them. It has less to do, so that a program comes to speed sooner. A call takes 1 to 3 ns. Methods of programs are inlined as ever.
 */
public final class Inlining {
    private static final String ROOT = "org.galerna.";

    /** What a short message of bytes does not need. */
    private static final List<String> SELDOM = Stream.of(
                    "nativeaccess.memory.MemoryCopy::copy",
                    "memory.Buffers::copy",
                    "memory.Buffers::copyInPlace",
                    "memory.Buffers::copyOther",
                    "memory.SlotMemory::readOther",
                    "memory.SlotMemory::writeOther",
                    "link.counters.PeerCounters::addAtomically",
                    "link.shm.ShmRma::progress",
                    "link.shm.transfer.RequestedTransfers::report",
                    "link.shm.transfer.ServedTransfers::progress",
                    "link.shm.transfer.ServedTransfers::takeRequest",
                    "device.matching.MatchingDevice::ssend",
                    "device.matching.engine.Probing::look",
                    "device.matching.engine.Progress::handOver",
                    "device.matching.engine.Progress::nextTransfer",
                    "device.matching.request.ReceiveRequest::fetch",
                    "device.matching.request.ReceiveRequest::release",
                    "device.matching.request.SendRequest::release",
                    "device.matching.sending.Peer::sendInBurst",
                    "device.matching.sending.Peer::writeControl",
                    "collectives.shared.SlotReductions::combine",
                    "collectives.team.HeapMember::awaitFinished",
                    "collectives.team.HeapMember::awaitShown",
                    "collectives.team.HeapMember::fillPage",
                    "collectives.team.HeapMember::readPage",
                    "collectives.team.SeatEvents::wake")
            .map(ROOT::concat)
            .toList();

    /** What each message needs. Two processes compile it twice, on the same cores. */
    private static final List<String> OFTEN = Stream.of(
                    "memory.RecordConsumer::poll",
                    "memory.SpscProducer::prepare",
                    "device.matching.engine.Matching::onMessage",
                    "device.matching.engine.Progress::prepare",
                    "device.matching.sending.Peer::sendEager",
                    "mpi.datatype.Datatype::check",
                    "mpi.request.PointToPoint::recv",
                    "mpi.request.PointToPoint::sendChecked")
            .map(ROOT::concat)
            .toList();

    private Inlining() {}

    /** All these methods, each as {@code class::name}. */
    public static List<String> called() {
        return Stream.concat(SELDOM.stream(), OFTEN.stream()).toList();
    }

    /** Options of a virtual machine with ranks. The first one keeps it from printing the others. */
    public static List<String> options() {
        return Stream.concat(
                        Stream.of("-XX:CompileCommand=quiet"), SELDOM.stream().map(Inlining::option))
                .toList();
    }

    /** Options of a virtual machine with one rank of several, in addition. */
    public static List<String> optionsOfOneRank() {
        return OFTEN.stream().map(Inlining::option).toList();
    }

    private static String option(String method) {
        return "-XX:CompileCommand=dontinline,".concat(method);
    }
}
