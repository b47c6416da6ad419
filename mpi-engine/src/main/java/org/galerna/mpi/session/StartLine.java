package org.galerna.mpi.session;

import java.util.List;
import java.util.stream.Collectors;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.device.Device;
import org.galerna.device.Devices;
import org.galerna.link.process.OwnLog;
import org.galerna.memory.CpuList;
import org.galerna.memory.Cpus;

/** What a job says at its start, where users ask for that: what was chosen, and why. */
final class StartLine {
    private static final System.Logger LOGGER = OwnLog.of(StartLine.class.getName());
    private static final String TABLE = CollectiveOptions.PREFIX + "table";

    private StartLine() {}

    /**
     * Says it, once for all ranks.
     *
     * @param wanted the device that was asked for
     */
    static void say(Device device, String wanted) {
        if (device.rank() == 0 && OwnLog.isVerbose()) {
            LOGGER.log(System.Logger.Level.INFO, text(device, wanted));
        }
    }

    private static String text(Device device, String wanted) {
        int hosts = device.hosts().number();
        String ranks = device.size() == 1 ? "1 rank" : device.size() + " ranks";
        String why = wanted.equals(Devices.AUTO) ? "the fastest that works" : "as you say";
        return ranks + (hosts == 1 ? "" : " on " + hosts + " hosts") + "; device " + device.name() + ", " + why + "; "
                + algorithms() + "; rank 0 may run on processors " + CpuList.format(Cpus.ofCaller());
    }

    private static String algorithms() {
        List<String> forced = System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(CollectiveOptions.PREFIX) && !name.equals(TABLE))
                .sorted()
                .map(name -> name.substring(CollectiveOptions.PREFIX.length()) + "=" + System.getProperty(name))
                .toList();
        return "algorithms of collectives by "
                + (System.getProperty(TABLE) == null ? "the standard table" : System.getProperty(TABLE))
                + forced.stream().map(each -> ", " + each).collect(Collectors.joining());
    }
}
