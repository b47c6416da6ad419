package org.galerna.mpi.comm;

import org.galerna.mpi.datatype.Datatype;
import org.jspecify.annotations.Nullable;

/** What an API adds to the engine: buffers that only it has, words, and how a failure
 * reaches its program. */
public interface Face {
    /**
     * What the program sees of a failure.
     *
     * @param call the call and its arguments, in words
     * @return what is to be thrown
     */
    RuntimeException failed(String call, RuntimeException failure);

    /** What programs write for something that errors name. */
    String nameOf(Word word);

    /** What errors name. */
    enum Word {
        /** The source of a receive from any rank. */
        ANY_SOURCE,
        /** The tag of a receive of any tag. */
        ANY_TAG,
        /** The rank of nobody. */
        NULL_PROCESS,
        /** What is not defined, such as a color. */
        UNDEFINED,
        /** The call that gives memory for buffered sends. */
        ATTACH
    }

    /** What stands behind a buffer of the program: an array, a segment, or a buffer of {@code java.nio}. */
    Object memoryOf(Object buffer, @Nullable Datatype type);
}
