package org.galerna.junit;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import mpi.Intracomm;
import org.galerna.ranks.RankAssertionError;
import org.galerna.ranks.RankFailedException;
import org.galerna.ranks.Ranks;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Runs the tests that are marked with {@link RanksTest}. */
final class RanksExtension implements InvocationInterceptor, ParameterResolver {
    RanksExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == Intracomm.class
                && parameter.getDeclaringExecutable() instanceof Method method
                && AnnotationSupport.isAnnotated(method, RanksTest.class);
    }

    /** Each rank gets its own later. */
    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return null;
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> once, ReflectiveInvocationContext<Method> call, ExtensionContext test) {
        // the ranks call it in place of the one call that JUnit has prepared
        once.skip();
        Method method = call.getExecutable();
        Object instance = call.getTarget().orElse(null);
        RanksTest wanted =
                AnnotationSupport.findAnnotation(method, RanksTest.class).orElseThrow();
        try {
            describe(wanted)
                    .run(world -> ReflectionSupport.invokeMethod(method, instance, arguments(method, call, world)));
        } catch (RankAssertionError error) {
            throw at(error.getCause(), asJunitKnowsIt(error));
        } catch (RankFailedException failure) {
            // an assumption that does not hold is no failure
            throw failure.getCause() instanceof TestAbortedException aborted
                    ? aborted
                    : at(failure.getCause(), failure);
        }
    }

    /** The stack of the rank: that of the call by JUnit leads nowhere. */
    private static <T extends Throwable> T at(@Nullable Throwable cause, T failure) {
        if (cause != null) {
            failure.setStackTrace(cause.getStackTrace());
        }
        return failure;
    }

    private static Ranks describe(RanksTest wanted) {
        Ranks ranks = Ranks.of(wanted.value());
        if (!wanted.device().isEmpty()) {
            ranks = ranks.device(wanted.device());
        }
        return wanted.seconds() > 0 ? ranks.within(Duration.ofMillis(Math.round(wanted.seconds() * 1000))) : ranks;
    }

    private static @Nullable Object[] arguments(
            Method method, ReflectiveInvocationContext<Method> call, Intracomm world) {
        List<Object> prepared = call.getArguments();
        @Nullable Object[] arguments = new @Nullable Object[prepared.size()];
        for (int index = 0; index < arguments.length; index++) {
            boolean isWorld = method.getParameterTypes()[index] == Intracomm.class;
            arguments[index] = isWorld ? world : prepared.get(index);
        }
        return arguments;
    }

    /** Tools show the difference between what an error of JUnit says was expected and what there was. */
    private static AssertionError asJunitKnowsIt(RankAssertionError error) {
        if (!(error.getCause() instanceof AssertionFailedError failed)
                || !failed.isExpectedDefined()
                || !failed.isActualDefined()) {
            return error;
        }
        AssertionFailedError same =
                new AssertionFailedError(error.getMessage(), failed.getExpected(), failed.getActual(), failed);
        for (Throwable other : error.getSuppressed()) {
            same.addSuppressed(other);
        }
        return same;
    }
}
