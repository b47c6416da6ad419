package org.galerna.sockets;

import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that uses channels and selectors in every way there is and prints what it sees, a line for each behaviour. Its
 * argument is "fast" if connections are to be fast before anything is tried with them.
 */
public final class ChannelProgram {
    private ChannelProgram() {}

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        boolean fast = arguments.length > 0 && arguments[0].equals("fast");
        Map<String, ChannelBehaviours.Behaviour> all = new LinkedHashMap<>(new ChannelBehaviours().all());
        all.putAll(new SelectorBehaviours().all());
        for (Map.Entry<String, ChannelBehaviours.Behaviour> each : all.entrySet()) {
            String shown = shown(each.getValue(), SelectorProvider.provider(), fast);
            System.out.println(each.getKey() + ": " + shown.replace('\n', ' '));
        }
        System.out.println("end");
        System.exit(0);
    }

    /** What a behaviour shows of channels of a provider. */
    static String shown(ChannelBehaviours.Behaviour behaviour, SelectorProvider provider, boolean fast)
            throws Exception {
        FutureTask<String> task = new FutureTask<>(() -> {
            try (ChannelPair pair = ChannelPair.open(provider, fast)) {
                return behaviour.of(pair).replaceAll("\\d{4,}", "<number>");
            }
        });
        Thread thread = Thread.ofPlatform().daemon().start(task);
        try {
            return task.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            return "failed: " + failed.getCause()
                    + Arrays.toString(failed.getCause().getStackTrace());
        } catch (TimeoutException hangs) {
            return "hangs: " + Arrays.toString(thread.getStackTrace());
        }
    }
}
