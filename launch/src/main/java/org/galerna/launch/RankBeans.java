package org.galerna.launch;

import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.galerna.launch.rank.RankContext;

/**
 * What the code of ranks calls where its source takes the server of MBeans of its process. Ranks of one JVM register MBeans
 * under the same names, so each has a server of its own, with the MBeans of the platform. Not meant to be called by hand.
 */
public final class RankBeans {
    private RankBeans() {}

    /** For {@link ManagementFactory#getPlatformMBeanServer}. */
    @SuppressWarnings("IdentifierName") // the JDK's name
    public static MBeanServer getPlatformMBeanServer() {
        RankContext rank = RankContext.exiting();
        return rank == null || rank.isAlone()
                ? ManagementFactory.getPlatformMBeanServer()
                : rank.own(MBeanServer.class, RankBeans::create);
    }

    private static MBeanServer create() {
        MBeanServer server = MBeanServerFactory.newMBeanServer();
        try {
            for (Class<? extends PlatformManagedObject> type : ManagementFactory.getPlatformManagementInterfaces()) {
                for (PlatformManagedObject bean : ManagementFactory.getPlatformMXBeans(type)) {
                    if (!server.isRegistered(bean.getObjectName())) {
                        server.registerMBean(bean, bean.getObjectName());
                    }
                }
            }
        } catch (JMException impossible) {
            throw new IllegalStateException("the MBeans of the platform cannot be registered", impossible);
        }
        return server;
    }
}
