package org.galerna.launch.program;

import java.lang.constant.ClassDesc;

/**
 * Instructions that come before a call, which stays where it is, since the JDK looks at the class that calls, or since it
 * is that of a constructor.
 *
 * @param owner the class with the method that the program calls
 * @param descriptor of that method
 * @param called descriptor of the method of the same name and owner that is called after the instructions
 * @param step what the instructions do, by which they turn the arguments of the one method into those of the other
 */
record Prelude(ClassDesc owner, String name, String descriptor, String called, Step step) implements Change {
    /** What is done before a call. */
    enum Step {
        /** The drivers of the rank are looked for before the JDK asks them. */
        DRIVERS,
        /** The rank's class loader as one more argument, where the JDK would take the system class loader. */
        MORE_LOADER,
        /** The context class loader as one more argument. */
        MORE_CONTEXT_LOADER,
        /** The rank's class loader in place of the system class loader as the last argument. */
        OWN_LOADER,
        /** Likewise, and in place of none. */
        OWN_SERVICE_LOADER,
        /** A copy of a native library, which belongs to one class loader, in place of the library. */
        LIBRARY,
        /** What reads a URL of this text, with the other arguments of the longer constructor. */
        URL_OF_TEXT,
        /** Likewise for a text in a context. */
        URL_IN_CONTEXT,
        /** Likewise for a protocol, host and file. */
        URL_OF_PARTS,
        /** Likewise for a protocol, host, port and file. */
        URL_WITH_PORT,
        /** A changed class file in place of an array. */
        CLASS_FILE,
        /** A changed class file in place of a part of an array. */
        PART_OF_ARRAY,
        /** Likewise, with one more argument behind. */
        PART_OF_ARRAY_AND_MORE
    }
}
