package org.galerna.launch.program;

import static java.lang.constant.ConstantDescs.CD_Map;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.constant.ClassDesc;
import java.util.List;

/** The calls that mean something that the JVM has once, and each process has for itself. */
final class SharedCalls {
    private static final ClassDesc BEANS = ClassDesc.of("org.galerna.launch.RankBeans");
    private static final ClassDesc LOCKS = ClassDesc.of("org.galerna.launch.RankLocks");
    private static final ClassDesc LOGS = ClassDesc.of("org.galerna.launch.RankLogs");
    private static final ClassDesc SYSTEMS = ClassDesc.of("org.galerna.launch.RankFileSystems");

    private static final ClassDesc MANAGEMENT = ClassDesc.of("java.lang.management.ManagementFactory");
    private static final ClassDesc BEAN_SERVER = ClassDesc.of("javax.management.MBeanServer");
    private static final ClassDesc LOCK = ClassDesc.of("java.nio.channels.FileLock");
    private static final ClassDesc CHANNEL = ClassDesc.of("java.nio.channels.FileChannel");
    private static final ClassDesc ASYNCHRONOUS = ClassDesc.of("java.nio.channels.AsynchronousFileChannel");
    private static final ClassDesc LOGGER = ClassDesc.of("java.util.logging.Logger");
    private static final ClassDesc HANDLER = ClassDesc.of("java.util.logging.Handler");
    private static final ClassDesc FILE_SYSTEMS = ClassDesc.of("java.nio.file.FileSystems");
    private static final ClassDesc FILE_SYSTEM = ClassDesc.of("java.nio.file.FileSystem");
    private static final ClassDesc PATH = ClassDesc.of("java.nio.file.Path");
    private static final ClassDesc PATHS = ClassDesc.of("java.nio.file.Paths");
    private static final ClassDesc URI = ClassDesc.of("java.net.URI");
    private static final ClassDesc LOADER = ClassDesc.of("java.lang.ClassLoader");

    static final List<Redirect> REDIRECTS = List.of(
            Redirect.ofStatic(BEANS, MANAGEMENT, "getPlatformMBeanServer", BEAN_SERVER),
            Redirect.ofInstance(LOCKS, CHANNEL, "lock", LOCK),
            Redirect.ofInstance(LOCKS, CHANNEL, "lock", LOCK, CD_long, CD_long, CD_boolean),
            Redirect.ofInstance(LOCKS, CHANNEL, "tryLock", LOCK),
            Redirect.ofInstance(LOCKS, CHANNEL, "tryLock", LOCK, CD_long, CD_long, CD_boolean),
            Redirect.ofInstance(LOCKS, ASYNCHRONOUS, "tryLock", LOCK),
            Redirect.ofInstance(LOCKS, ASYNCHRONOUS, "tryLock", LOCK, CD_long, CD_long, CD_boolean),
            Redirect.ofInstance(LOGS, LOGGER, "addHandler", CD_void, HANDLER),
            Redirect.ofInstance(LOGS, LOGGER, "removeHandler", CD_void, HANDLER),
            Redirect.ofInstance(LOGS, LOGGER, "getHandlers", HANDLER.arrayType()),
            Redirect.ofStatic(SYSTEMS, FILE_SYSTEMS, "newFileSystem", FILE_SYSTEM, URI, CD_Map),
            Redirect.ofStatic(SYSTEMS, FILE_SYSTEMS, "newFileSystem", FILE_SYSTEM, URI, CD_Map, LOADER),
            Redirect.ofStatic(SYSTEMS, FILE_SYSTEMS, "getFileSystem", FILE_SYSTEM, URI),
            Redirect.ofStatic(SYSTEMS, PATH, "of", PATH, URI),
            Redirect.ofStatic(SYSTEMS, PATHS, "get", PATH, URI));

    private SharedCalls() {}
}
