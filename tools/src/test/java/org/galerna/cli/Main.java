package org.galerna.cli;

import java.util.Arrays;

/**
 * Stands for the program of galerna.jar in the tests of the start script: prints its arguments and ends with the status they ask for.
 */
public final class Main {
    private Main() {}

    /** Prints the arguments; {@code exit N} ends with status N. */
    public static void main(String[] args) {
        System.out.println(Arrays.toString(args));
        if (args.length == 2 && args[0].equals("exit")) {
            System.exit(Integer.parseInt(args[1]));
        }
    }
}
