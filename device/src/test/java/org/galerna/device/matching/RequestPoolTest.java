package org.galerna.device.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.galerna.device.matching.request.ReceiveRequest;
import org.galerna.device.matching.request.RequestPool;
import org.galerna.device.support.PendingRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestPoolTest {
    private final MatchingDevice device = Alone.open();
    private final RequestPool pool = new RequestPool(device);

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void givesTheSameRequestAgainOnceItIsReleased() {
        ReceiveRequest first = take();
        ReceiveRequest second = take();
        assertThat(second).isNotSameAs(first);
        second.markReleased();
        first.markReleased();
        Set<ReceiveRequest> again = identities(List.of(take(), take()));
        assertThat(again).containsExactlyInAnyOrder(first, second);
        assertThat(pool.size()).isEqualTo(2);
    }

    @Test
    void makesNoMoreThanAreInUseAtOnce() {
        for (int window : new int[] {1, 64, 100, 64, 1000, 3}) {
            for (int round = 0; round < 20; round++) {
                List<ReceiveRequest> used = new ArrayList<>();
                for (int each = 0; each < window; each++) {
                    used.add(take());
                }
                assertThat(identities(used)).hasSize(window);
                used.forEach(PendingRequest::markReleased);
            }
        }
        assertThat(pool.size()).isLessThanOrEqualTo(2000);
    }

    @Test
    void letsGoOfRequestsThatAreNeverReleased() {
        for (int each = 0; each < 3 * RequestPool.MOST; each++) {
            take();
        }
        assertThat(pool.size()).isEqualTo(RequestPool.MOST);
        Set<ReceiveRequest> released = identities(takeAndRelease(RequestPool.MOST));
        assertThat(released).hasSize(RequestPool.MOST);
        assertThat(identities(takeAndRelease(RequestPool.MOST))).isEqualTo(released);
        assertThat(pool.size()).isEqualTo(RequestPool.MOST);
    }

    private List<ReceiveRequest> takeAndRelease(int times) {
        List<ReceiveRequest> taken = new ArrayList<>();
        for (int each = 0; each < times; each++) {
            ReceiveRequest request = take();
            request.markReleased();
            taken.add(request);
        }
        return taken;
    }

    @Test
    void neverGivesARequestThatIsInUse() {
        long seed = System.nanoTime();
        System.out.println("neverGivesARequestThatIsInUse: repeat with seed " + seed);
        Random random = new Random(seed);
        Set<ReceiveRequest> inUse = Collections.newSetFromMap(new IdentityHashMap<>());
        List<ReceiveRequest> order = new ArrayList<>();
        for (int step = 0; step < 100_000; step++) {
            if (order.size() < 50 && random.nextInt(3) > 0) {
                ReceiveRequest taken = take();
                assertThat(inUse.add(taken)).as("step %s", step).isTrue();
                order.add(taken);
            } else if (!order.isEmpty()) {
                ReceiveRequest released = order.remove(random.nextInt(order.size()));
                inUse.remove(released);
                released.markReleased();
            }
        }
        assertThat(pool.size()).isLessThan(500);
    }

    /** Takes a request and begins to use it. */
    private ReceiveRequest take() {
        ReceiveRequest request = pool.take();
        request.restart();
        return request;
    }

    private static Set<ReceiveRequest> identities(List<ReceiveRequest> requests) {
        Set<ReceiveRequest> identities = Collections.newSetFromMap(new IdentityHashMap<>());
        identities.addAll(requests);
        return identities;
    }
}
