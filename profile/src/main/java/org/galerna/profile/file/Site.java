package org.galerna.profile.file;

import org.galerna.profile.CallKind;

/**
 * A call in the program.
 *
 * @param place class, and line or else method: {@code org.example.Main.step:42}
 * @param call name of the method that is called, such as {@code Recv}
 */
public record Site(String place, String call, CallKind kind) {
    /** As it is shown: {@code Recv at org.example.Main.step:42}. */
    public String words() {
        return call + " at " + place;
    }
}
