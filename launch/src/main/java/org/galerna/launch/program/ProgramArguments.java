package org.galerna.launch.program;

import java.util.List;
import org.galerna.link.Wireup;
import org.jspecify.annotations.Nullable;

/**
 * What the main method of a rank is given. MPJ Express puts rank, number of ranks and device before the arguments of the
 * program, and {@code MPI.Init} takes them off again; programs that count on that, and skip three arguments in
 * {@code main} themselves, can have it so.
 */
public final class ProgramArguments {
    /** System property: {@value #AS_MPJ_EXPRESS} for three more arguments in front. Default: none. */
    public static final String PROPERTY = "galerna.arguments";

    /** Value of the property. */
    public static final String AS_MPJ_EXPRESS = "mpjexpress";

    /** System property: name of the device. */
    public static final String DEVICE_PROPERTY = "galerna.device";

    private ProgramArguments() {}

    /**
     * The arguments for the main method of a rank.
     *
     * @param device name of the device that was asked for; null for none
     */
    public static String[] of(List<String> own, Wireup wireup, @Nullable String device) {
        String[] arguments = own.toArray(String[]::new);
        if (!AS_MPJ_EXPRESS.equals(System.getProperty(PROPERTY))) {
            return arguments;
        }
        String[] all = new String[arguments.length + 3];
        all[0] = String.valueOf(wireup.rank());
        all[1] = String.valueOf(wireup.size());
        all[2] = device != null ? device : System.getProperty(DEVICE_PROPERTY, "auto");
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return all;
    }
}
