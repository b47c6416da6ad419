package org.galerna.launch.program;

import static java.lang.constant.ConstantDescs.CD_List;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.io.InputStream;
import java.io.PrintStream;
import java.lang.constant.ClassDesc;
import java.util.List;

/** The calls that end, feed or change a process, or start another one. */
final class ProcessCalls {
    /** Where the calls go. */
    static final ClassDesc TARGET = ClassDesc.of("org.galerna.launch.RankRuntime");

    private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
    private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
    private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
    private static final ClassDesc PROCESS = ClassDesc.of("java.lang.Process");
    private static final ClassDesc PROCESS_BUILDER = ClassDesc.of("java.lang.ProcessBuilder");
    private static final ClassDesc FILE = ClassDesc.of("java.io.File");
    private static final ClassDesc STRINGS = CD_String.arrayType();
    private static final ClassDesc IO = ClassDesc.of("java.lang.IO");
    private static final ClassDesc HANDLER = THREAD.nested("UncaughtExceptionHandler");
    private static final ClassDesc OUT = PrintStream.class.describeConstable().orElseThrow();
    private static final ClassDesc IN = InputStream.class.describeConstable().orElseThrow();

    static final List<Redirect> REDIRECTS = List.of(
            ofStatic(SYSTEM, "exit", CD_void, CD_int),
            ofInstance(RUNTIME, "exit", CD_void, CD_int),
            ofInstance(RUNTIME, "halt", CD_void, CD_int),
            ofInstance(RUNTIME, "addShutdownHook", CD_void, THREAD),
            ofInstance(RUNTIME, "removeShutdownHook", CD_boolean, THREAD),
            ofField("in", IN),
            ofField("out", OUT),
            ofField("err", OUT),
            ofStatic(SYSTEM, "setIn", CD_void, IN),
            ofStatic(SYSTEM, "setOut", CD_void, OUT),
            ofStatic(SYSTEM, "setErr", CD_void, OUT),
            ofStatic(THREAD, "setDefaultUncaughtExceptionHandler", CD_void, HANDLER),
            ofStatic(THREAD, "getDefaultUncaughtExceptionHandler", HANDLER),
            ofInstance(PROCESS_BUILDER, "start", PROCESS),
            ofStatic(PROCESS_BUILDER, "startPipeline", CD_List, CD_List),
            ofInstance(RUNTIME, "exec", PROCESS, CD_String),
            ofInstance(RUNTIME, "exec", PROCESS, CD_String, STRINGS),
            ofInstance(RUNTIME, "exec", PROCESS, CD_String, STRINGS, FILE),
            ofInstance(RUNTIME, "exec", PROCESS, STRINGS),
            ofInstance(RUNTIME, "exec", PROCESS, STRINGS, STRINGS),
            ofInstance(RUNTIME, "exec", PROCESS, STRINGS, STRINGS, FILE),
            ofStatic(IO, "readln", CD_String),
            ofStatic(IO, "readln", CD_String, CD_String));

    private ProcessCalls() {}

    private static Redirect ofStatic(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        return Redirect.ofStatic(TARGET, owner, name, returned, parameters);
    }

    private static Redirect ofInstance(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        return Redirect.ofInstance(TARGET, owner, name, returned, parameters);
    }

    private static Redirect ofField(String name, ClassDesc type) {
        return Redirect.ofField(TARGET, SYSTEM, name, type);
    }
}
