package org.galerna.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that several ranks run, each on a thread of its own, as {@link org.galerna.ranks.Ranks#run} does:
 *
 * <pre>{@code
 * @RanksTest(4)
 * void sumsUp(Intracomm world) {
 *     int[] sum = {world.Rank()};
 *     world.Allreduce(MPI.IN_PLACE, 0, sum, 0, 1, MPI.INT, MPI.SUM);
 *     assertEquals(6, sum[0]);
 * }
 * }</pre>
 *
 * <p>The ranks share the instance of the test class and its static fields. A parameter of type {@link mpi.Intracomm} gets
 * the communicator of all ranks; {@code MPI.COMM_WORLD} is the same. What runs before and after a test runs once. An
 * assertion that fails in a rank fails the test, with the rank in the message. Time limits of JUnit
 * ({@link org.junit.jupiter.api.Timeout}) hold for the whole test.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(RanksExtension.class)
public @interface RanksTest {
    /** The number of ranks, at least 1. */
    int value();

    /** The device that the ranks communicate through, e.g. {@code niodev}; the fastest possible unless set. */
    String device() default "";

    /** The longest that the ranks may take, in seconds: the failure says where each of them is. 0: no limit. */
    double seconds() default 0;
}
