package mpi;

import java.util.Arrays;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Creation;

/** A communicator whose ranks are the nodes of a graph; see {@link Intracomm#Create_graph}. */
public class Graphcomm extends Intracomm {
    private final int[] index;
    private final int[] edges;

    Graphcomm(Environment environment, Communicator inside, int[] index, int[] edges) {
        super(environment, inside);
        this.index = index.clone();
        this.edges = edges.clone();
    }

    @Override
    public Object clone() throws MPIException {
        return call(
                inside.describe("clone"),
                () -> duplicated(new Graphcomm(environment(), Creation.duplicate(inside), index, edges)));
    }

    /** The graph. */
    public GraphParms Get() throws MPIException {
        requireUsable("Graphcomm.Get");
        return new GraphParms(index.clone(), edges.clone());
    }

    /** The neighbours of a rank. */
    public int[] Neighbours(int rank) throws MPIException {
        requireUsable("Graphcomm.Neighbours");
        if (rank < 0 || rank >= inside.size()) {
            throw Errors.failed(
                    this,
                    "Graphcomm.Neighbours",
                    Errors.wrong(ErrorClass.RANK, "there is no rank " + rank + " in a graph of " + inside.size()));
        }
        return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
    }

    /** The rank that this one should have in a graph, {@link MPI#UNDEFINED} if it should not belong to it. */
    public int Map(int[] index, int[] edges) throws MPIException {
        return call("Graphcomm.Map", () -> {
            inside.checkUsable();
            check(index, edges, inside.size());
            return inside.rank() < index.length ? inside.rank() : MPI.UNDEFINED;
        });
    }

    @Override
    public int Topo_test() throws MPIException {
        requireUsable("Comm.Topo_test");
        return MPI.GRAPH;
    }

    /** Checks that a graph is one and has a rank for every node. */
    static void check(int[] index, int[] edges, int ranks) {
        if (index.length > ranks) {
            throw Errors.wrong(
                    ErrorClass.TOPOLOGY,
                    "a graph of " + index.length + " nodes needs more ranks than there are (" + ranks + ")");
        }
        int before = 0;
        for (int end : index) {
            if (end < before) {
                throw Errors.wrong(ErrorClass.TOPOLOGY, "the index of a graph must not fall");
            }
            before = end;
        }
        if (before != edges.length) {
            throw Errors.wrong(
                    ErrorClass.TOPOLOGY, "the index ends with " + before + " but there are " + edges.length + " edges");
        }
        for (int node : edges) {
            if (node < 0 || node >= index.length) {
                throw Errors.wrong(
                        ErrorClass.TOPOLOGY, "there is no node " + node + " in a graph of " + index.length + " nodes");
            }
        }
    }
}
