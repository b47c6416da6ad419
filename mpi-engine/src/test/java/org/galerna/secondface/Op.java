package org.galerna.secondface;

import org.galerna.collectives.reduction.Operator;
import org.galerna.mpi.collective.Operation;
import org.galerna.mpi.collective.UserFunction;

/** How a reduction combines items. */
record Op(Operation inside) {
    static final Op SUM = new Op(Operation.of("MPI_SUM", Operator.SUM, "MPI_2INT"));
    static final Op MAXLOC = new Op(Operation.of("MPI_MAXLOC", Operator.MAXLOC, "MPI_2INT"));

    Op(UserFunction function, boolean commute) {
        this(Operation.of(function, commute, true));
    }
}
