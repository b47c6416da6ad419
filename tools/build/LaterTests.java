import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.MavenExecutionException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.internal.MojoExecutor;
import org.apache.maven.plugin.BuildPluginManager;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.session.scope.internal.SessionScope;

/**
 * Lets a build go on with the next modules while the tests of a module run: an extension of Maven, which would have every
 * module wait for the tests of those that it stands on. That is a chain of most modules, of which each one alone leaves
 * processors idle. The build ends when all tests have.
 *
 * <p>Tests that need the archive of their module, those of the failsafe plugin, run where Maven has them.
 */
@Named
@Singleton
public final class LaterTests extends AbstractMavenLifecycleParticipant {
    private static final String PLUGIN = "maven-surefire-plugin";
    private static final String GOAL = "test";

    /** Property: how many modules are tested at a time, until all are built; without it, modules are tested where Maven has it. */
    private static final String MODULES = "galerna.test.modules";

    private final MojoExecutor executor;
    private final SessionScope scope;
    private final List<Future<?>> tests = new ArrayList<>();
    private ThreadPoolExecutor machines;

    /** Called by Maven. */
    @Inject
    public LaterTests(MojoExecutor executor, SessionScope scope) {
        this.executor = executor;
        this.scope = scope;
    }

    /** Puts itself between Maven and its plugins. */
    @Override
    public void afterProjectsRead(MavenSession session) throws MavenExecutionException {
        String modules = session.getUserProperties().getProperty(MODULES);
        if (modules == null) {
            return;
        }
        int most = Integer.parseInt(modules);
        machines = new ThreadPoolExecutor(most, most, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread thread = new Thread(work, "tests");
            thread.setDaemon(true);
            return thread;
        });
        try {
            Field field = MojoExecutor.class.getDeclaredField("pluginManager");
            field.setAccessible(true);
            BuildPluginManager plugins = (BuildPluginManager) field.get(executor);
            field.set(
                    executor,
                    Proxy.newProxyInstance(
                            LaterTests.class.getClassLoader(),
                            new Class<?>[] {BuildPluginManager.class},
                            (proxy, method, arguments) -> {
                                if (method.getName().equals("executeMojo")
                                        && isTest((MojoExecution) arguments[1])) {
                                    begin(plugins, (MavenSession) arguments[0], (MojoExecution) arguments[1]);
                                    return null;
                                }
                                try {
                                    return method.invoke(plugins, arguments);
                                } catch (InvocationTargetException failed) {
                                    throw failed.getCause();
                                }
                            }));
        } catch (ReflectiveOperationException | RuntimeException otherMaven) {
            System.out.println("[INFO] Modules wait for the tests of others: " + otherMaven);
        }
    }

    private static boolean isTest(MojoExecution execution) {
        return execution.getArtifactId().equals(PLUGIN) && execution.getGoal().equals(GOAL);
    }

    /** The project is a copy: what the next plugins of the module need of it, they change. */
    private void begin(BuildPluginManager plugins, MavenSession session, MojoExecution execution) {
        MavenSession own = session.clone();
        own.setCurrentProject(session.getCurrentProject().clone());
        SessionScope.Memento memento = scope.memento();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Future<?> test = machines.submit(() -> {
            Thread.currentThread().setContextClassLoader(loader);
            scope.enter(memento);
            try {
                scope.seed(MavenSession.class, own);
                plugins.executeMojo(own, execution);
            } finally {
                scope.exit();
            }
            return null;
        });
        synchronized (tests) {
            tests.add(test);
        }
    }

    /** Waits for the tests; where the build has failed, for those that run. */
    @Override
    public void afterSessionEnd(MavenSession session) throws MavenExecutionException {
        if (machines == null) {
            return;
        }
        if (session.getResult().hasExceptions()) {
            machines.getQueue().clear();
        }
        int most = 2 * machines.getMaximumPoolSize(); // nothing else is left to do
        machines.setMaximumPoolSize(most);
        machines.setCorePoolSize(most);
        machines.shutdown();
        Throwable failure = null;
        try {
            while (!machines.awaitTermination(1, TimeUnit.HOURS)) {
                // each of them has a limit of its own
            }
            for (Future<?> test : tests) {
                if (test.isDone()) {
                    failure = failureOf(test, failure);
                }
            }
        } catch (InterruptedException ended) {
            failure = ended;
        }
        if (failure != null) {
            throw new MavenExecutionException("tests did not end: " + failure.getMessage(), failure);
        }
    }

    private static Throwable failureOf(Future<?> test, Throwable another) throws InterruptedException {
        try {
            test.get();
            return another;
        } catch (ExecutionException failed) {
            System.out.println("[ERROR] " + failed.getCause().getMessage());
            return failed.getCause();
        }
    }
}
