package org.galerna.device.ucx;

import java.util.Arrays;
import java.util.function.Predicate;
import org.galerna.nativeaccess.ucx.UcxWorker;

/** What UCX has under way for this rank. Guarded by the engine's lock. */
final class Operations {
    /** Looks after which all operations are asked, whatever UCX says has moved: it does not count all that it does. */
    private static final int LOOK_AT_LEAST = 16;

    private final UcxWorker worker;
    private Operation[] operations = new Operation[64];
    private int count;
    private int looks; // since all operations were asked

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
        if (thoroughly || ++looks >= LOOK_AT_LEAST) {
            looks = 0;
            moved += complete(Integer.MAX_VALUE);
        } else if (moved > 0) {
            moved += complete(moved);
        }
        return moved;
    }

    /** Asks which operations are over, the latest first, until so many are. */
    private int complete(int most) {
        int done = 0;
        for (int each = count - 1; each >= 0 && done < most; each--) {
            if (each >= count) { // others have been removed meanwhile
                continue;
            }
            Operation operation = operations[each];
            int status = worker.status(operation.request);
            if (status != UcxWorker.IN_PROGRESS) {
                finish(operation, status);
                done++;
            }
        }
        return done;
    }

    /** UCX is done with an operation. */
    void finish(Operation operation, int status) {
        giveBack(operation);
        remove(operation);
        operation.completed(status);
    }

    private void giveBack(Operation operation) {
        if (!operation.ownsRequest()) {
            worker.free(operation.request);
        }
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
            giveBack(operations[--count]);
            worker.abandon();
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
