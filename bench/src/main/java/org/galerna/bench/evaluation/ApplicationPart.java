package org.galerna.bench.evaluation;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ObjIntConsumer;
import org.galerna.bench.evaluation.KernelRun.Place;

/** A program that prints its speed. */
final class ApplicationPart extends ProgramPart {
    private final String program;
    private final List<String> arguments;
    private final String printedUnit;
    private final ObjIntConsumer<ApplicationPart> ratios;

    /**
     * @param printedUnit what follows the speed in what it prints
     * @param ratios adds those that papers report; is given the largest number of cores
     */
    ApplicationPart(
            String title,
            String program,
            List<String> arguments,
            String printedUnit,
            ObjIntConsumer<ApplicationPart> ratios) {
        super(title, printedUnit);
        this.program = program;
        this.arguments = arguments;
        this.printedUnit = printedUnit;
        this.ratios = ratios;
    }

    @Override
    List<Turns.Run> runs(int cores) {
        return onRanks(cores);
    }

    @Override
    OptionalDouble speed(int ranks, Place place) {
        return KernelRun.numberBefore(KernelRun.run(ranks, program, arguments, place), printedUnit);
    }

    @Override
    void compare(int most) {
        if (most > 1) {
            ratios.accept(this, most);
        }
    }

    /** Processes that share memory beside those that have sockets. */
    void sharedMemory(Paper paper, int most, double published) {
        ratio(
                paper,
                EvaluationPage.cores(most) + ": processes, shared memory / sockets",
                published,
                speed(PROCESSES, most),
                speed(SOCKETS, most),
                "a run has failed");
    }
}
