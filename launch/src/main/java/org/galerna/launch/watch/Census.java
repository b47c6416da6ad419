package org.galerna.launch.watch;

import java.util.List;

/**
 * What the threads of a virtual machine do that are in no call.
 *
 * @param someoneRuns whether one of them goes on by itself at this moment
 * @param doubts those that something outside of the program, or time, may wake, one clause each
 */
record Census(boolean someoneRuns, List<String> doubts) {
    Census {
        doubts = List.copyOf(doubts);
    }
}
