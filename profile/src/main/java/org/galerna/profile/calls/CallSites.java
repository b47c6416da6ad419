package org.galerna.profile.calls;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Arrays;
import org.galerna.mpi.comm.Communicator;
import org.galerna.profile.CallKind;
import org.galerna.profile.record.Recorder;
import org.galerna.profile.record.Recorders;
import org.galerna.profile.record.ThreadCall;
import org.jspecify.annotations.Nullable;

/** Links the calls of a program that {@link CallRewriter} has changed. Not meant to be called by hand. */
public final class CallSites {
    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();

    private static final MethodHandle ENTER = ofRecorder("enter", ThreadCall.class, int.class);
    private static final MethodHandle ENTER_COLLECTIVE = ofRecorder(
            "enterCollective",
            ThreadCall.class,
            int.class,
            boolean.class,
            Communicator.class,
            int.class,
            long.class,
            long.class);
    private static final MethodHandle CONTROL = ofRecorder("control", void.class, int.class);

    /** The method of the API that starts and ends recording. */
    private static final String CONTROL_METHOD = "Pcontrol";

    private static final MethodHandle EXIT = ofRecorder("exit", void.class, ThreadCall.class);

    private CallSites() {}

    /**
     * Links one call: it is done as before, and its rank's recorder hears of its beginning and its end.
     *
     * @param caller class that has the call
     * @param name name of the method that is called
     * @param type the arguments, the receiver first if there is one
     * @param target what is called
     * @param method method that has the call
     * @param line line of the call; 0 if the compiler has not written it down
     * @throws ReflectiveOperationException if the class {@code MPI} of the rank cannot be found
     */
    public static CallSite bootstrap(
            MethodHandles.Lookup caller, String name, MethodType type, MethodHandle target, String method, int line)
            throws ReflectiveOperationException {
        Recorder recorder = Recorders.ofCallsFrom(caller.lookupClass());
        CallKind kind = CallKind.of(name);
        if (recorder != null && name.equals(CONTROL_METHOD)) {
            return new ConstantCallSite(MethodHandles.foldArguments(target.asType(type), CONTROL.bindTo(recorder)));
        }
        if (recorder == null || kind == null) {
            return new ConstantCallSite(target.asType(type));
        }
        int site = recorder.site(placeOf(caller.lookupClass(), method, line), name, kind);
        return new ConstantCallSite(timed(recorder, site, name, type, target.asType(type)));
    }

    /** Whether calls of a method of that name have to be linked here. */
    static boolean areLinked(String method) {
        return CallKind.of(method) != null || method.equals(CONTROL_METHOD);
    }

    private static String placeOf(Class<?> type, String method, int line) {
        String name = type.getName();
        return line == 0 ? name + "." + method : name + "." + method + ":" + line;
    }

    private static MethodHandle timed(Recorder recorder, int site, String name, MethodType type, MethodHandle target) {
        // (ThreadCall call, arguments...) -> R, and at its end (Throwable thrown, R result, ThreadCall call) -> R
        MethodHandle call = MethodHandles.dropArguments(target, 0, ThreadCall.class);
        MethodHandle exit = MethodHandles.dropArguments(EXIT.bindTo(recorder), 0, Throwable.class);
        Class<?> result = type.returnType();
        if (result != void.class) {
            MethodHandle handOn = MethodHandles.dropArguments(MethodHandles.identity(result), 0, Throwable.class);
            exit = MethodHandles.foldArguments(
                    MethodHandles.dropArguments(handOn, 2, ThreadCall.class),
                    MethodHandles.dropArguments(exit, 1, result));
        }
        MethodHandle communicator = CallKind.of(name) == CallKind.COLLECTIVE ? communicatorOf(type) : null;
        MethodHandle enter = communicator == null
                ? MethodHandles.insertArguments(ENTER, 0, recorder, site)
                : collective(recorder, site, name, communicator, type);
        return MethodHandles.foldArguments(MethodHandles.tryFinally(call, exit), enter);
    }

    /** Takes all arguments of the call. */
    private static MethodHandle collective(
            Recorder recorder, int site, String name, MethodHandle communicator, MethodType type) {
        CollectiveArguments arguments = new CollectiveArguments(CallKind.operation(name), communicator, type);
        MethodHandle enter =
                MethodHandles.insertArguments(ENTER_COLLECTIVE, 0, recorder, site, CallKind.isTogether(name));
        enter = MethodHandles.collectArguments(enter, 3, arguments.gotten());
        enter = MethodHandles.collectArguments(enter, 2, arguments.given());
        enter = MethodHandles.collectArguments(enter, 1, arguments.root());
        enter = MethodHandles.collectArguments(enter, 0, arguments.communicator());
        int number = type.parameterCount();
        int[] order = new int[4 * number];
        Arrays.setAll(order, place -> place % number);
        return MethodHandles.permuteArguments(enter, type.changeReturnType(ThreadCall.class), order);
    }

    /**
     * Takes the engine's communicator out of the receiver of a call: the field of that type which its class has; null if
     * there is none.
     */
    private static @Nullable MethodHandle communicatorOf(MethodType type) {
        if (type.parameterCount() == 0) {
            return null;
        }
        for (Class<?> each = type.parameterType(0); each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (field.getType() == Communicator.class && field.trySetAccessible()) {
                    try {
                        return OWN.unreflectGetter(field)
                                .asType(MethodType.methodType(Communicator.class, type.parameterType(0)));
                    } catch (IllegalAccessException impossible) {
                        throw new LinkageError("field " + field + " cannot be read", impossible);
                    }
                }
            }
        }
        return null;
    }

    private static MethodHandle ofRecorder(String name, Class<?> result, Class<?>... parameters) {
        try {
            return OWN.findVirtual(Recorder.class, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException missing) {
            throw new LinkageError(name, missing);
        }
    }
}
