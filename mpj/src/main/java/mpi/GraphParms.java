package mpi;

/** The shape of a graph. */
public class GraphParms {
    /** For each node the number of neighbours of it and of all nodes before it. */
    public int[] index = {};

    /** The neighbours of all nodes, one node after the other. */
    public int[] edges = {};

    /** A graph without nodes. */
    public GraphParms() {}

    GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }
}
