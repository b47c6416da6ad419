package org.galerna.cli.options;

import java.util.Arrays;
import java.util.List;
import org.galerna.cli.usage.UsageException;
import org.galerna.collectives.algorithm.Operation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which collectives a command is about. */
public final class OperationsOption {
    @Option(
            names = "--operations",
            paramLabel = "NAME",
            split = ",",
            description = "collectives, such as bcast,allreduce; default: all")
    private @Nullable List<String> operations;

    /**
     * The collectives, all of them unless some are named.
     *
     * @throws UsageException if there is none of a name
     */
    public List<Operation> operations() {
        if (operations == null) {
            return Arrays.asList(Operation.values());
        }
        try {
            return operations.stream().map(Operation::labelled).toList();
        } catch (IllegalArgumentException unknown) {
            throw new UsageException("--operations: " + unknown.getMessage());
        }
    }
}
