package org.galerna.device.ucx;

import java.util.Arrays;
import java.util.function.Predicate;
import org.galerna.nativeaccess.ucx.UcxWorker;

/** What UCX has under way for this rank. Guarded by the engine's lock. */
final class Operations {
    /** Looks after which operations are asked even where UCX says that nothing has moved: it does not count all that it does. */
    private static final int LOOK_AT_LEAST = 16;

    private final UcxWorker worker;
    private Operation[] operations = new Operation[64];
    private int count;
    private int idle;

    Operations(UcxWorker worker) {
        this.worker = worker;
    }

    /** Goes on with all of them; how much has moved. */
    int progress(boolean thoroughly) {
        int moved = worker.progress();
        if (thoroughly) {
            int more;
            while ((more = worker.progress()) > 0) {
                moved += more;
            }
        }
        if (moved > 0 || thoroughly || ++idle >= LOOK_AT_LEAST) {
            idle = 0;
            moved += complete();
        }
        return moved;
    }

    private int complete() {
        int done = 0;
        for (int each = count - 1; each >= 0; each--) {
            if (each >= count) { // others have been removed meanwhile
                continue;
            }
            Operation operation = operations[each];
            int status =
                    operation.isReceive() ? worker.receiveStatus(operation.request) : worker.status(operation.request);
            if (status != UcxWorker.IN_PROGRESS) {
                if (operation.isReceive() && operation instanceof Arrival arrival && status == UcxWorker.OK) {
                    arrival.identify(worker.receivedTag(), worker.receivedBytes());
                }
                finish(operation, status);
                done++;
            }
        }
        return done;
    }

    /** UCX is done with an operation. */
    void finish(Operation operation, int status) {
        worker.free(operation.request);
        remove(operation);
        operation.completed(status);
    }

    void add(Operation operation, long request) {
        operation.request = request;
        if (count == operations.length) {
            operations = Arrays.copyOf(operations, 2 * count);
        }
        operation.place = count;
        operations[count++] = operation;
    }

    private void remove(Operation operation) {
        Operation last = operations[--count];
        operations[operation.place] = last;
        last.place = operation.place;
        operation.request = 0;
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean any(Predicate<Operation> which) {
        for (int each = 0; each < count; each++) {
            if (which.test(operations[each])) {
                return true;
            }
        }
        return false;
    }

    /** Leaves those to UCX that are not over: nobody hears of their end. */
    void abandon() {
        while (count > 0) {
            worker.abandon(operations[--count].request);
        }
    }

    /** Takes those back that UCX has not begun with; they complete as cancelled at the next look. */
    void cancel(Predicate<Operation> which) {
        for (int each = 0; each < count; each++) {
            if (which.test(operations[each])) {
                worker.cancel(operations[each].request);
            }
        }
    }
}
