package org.galerna.cli.usage;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Words on the command line of MPJ Express that Galerna does without, and what to do instead. */
public final class MpjExpressWords {
    private static final Map<String, String> OPTIONS = Map.of(
            "-src", "leave it out, and keep the program where all hosts see it",
            "-dport", "leave it out: there are no daemons, hosts are reached by ssh",
            "-debug", "give --procs -J-agentlib:jdwp=...",
            "-mxboardnum", "leave it out: Myrinet is not supported",
            "-psl", "give --device-option eager.limit=BYTES");

    private static final Map<String, String> DEVICES = Map.of(
            "multicore", "leave -dev out: ranks are threads unless you say otherwise",
            "native", "give --launcher mpiexec or mpirun instead",
            "mxdev", "Myrinet is not supported");

    private MpjExpressWords() {}

    /** What to do instead of an option, as the end of a sentence; otherwise what is given. */
    public static String insteadOfOption(String name, String otherwise) {
        return instead(OPTIONS.get(name.startsWith("--") ? name.substring(1) : name), otherwise);
    }

    /** What to do instead of a device, as the end of a sentence; otherwise what is given. */
    public static String insteadOfDevice(String name, String otherwise) {
        return instead(DEVICES.get(name), otherwise);
    }

    private static String instead(@Nullable String advice, String otherwise) {
        return advice == null ? otherwise : " as in MPJ Express; " + advice;
    }
}
