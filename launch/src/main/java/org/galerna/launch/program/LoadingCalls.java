package org.galerna.launch.program;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;
import org.galerna.launch.program.Prelude.Step;
import org.jspecify.annotations.Nullable;

/**
 * The calls that mean the system class loader of a process, with the program on its class path, or one of the registries
 * that it fills: to a rank, its own class loader is the system class loader.
 */
final class LoadingCalls {
    /** Where the calls go. */
    static final ClassDesc TARGET = ClassDesc.of("org.galerna.launch.RankLoading");

    /** A class of the JDK that a class of Galerna takes the place of, as a superclass too. */
    static final ClassDesc REPLACED = ClassDesc.of("java.net.URLClassLoader");

    /** The class that takes its place. */
    static final ClassDesc REPLACEMENT = ClassDesc.of("org.galerna.launch.RankUrlClassLoader");

    private static final String REPLACED_NAME = "java/net/URLClassLoader";
    private static final String DEFINE_CLASS = "defineClass";
    private static final String INIT = "<init>";
    private static final String SERVICE_LOADING = "(Ljava/lang/Class;Ljava/lang/ClassLoader;)Ljava/util/ServiceLoader;";
    private static final String URL_WITH_HANDLER = "(Ljava/net/URL;Ljava/lang/String;Ljava/net/URLStreamHandler;)V";
    private static final String PARTS_WITH_HANDLER =
            "(Ljava/lang/String;Ljava/lang/String;ILjava/lang/String;Ljava/net/URLStreamHandler;)V";

    private static final ClassDesc LOADER = ClassDesc.of("java.lang.ClassLoader");
    private static final ClassDesc SECURE_LOADER = ClassDesc.of("java.security.SecureClassLoader");
    private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
    private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
    private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
    private static final ClassDesc SERVICES = ClassDesc.of("java.util.ServiceLoader");
    private static final ClassDesc URL = ClassDesc.of("java.net.URL");
    private static final ClassDesc URI = ClassDesc.of("java.net.URI");
    private static final ClassDesc HANDLER = ClassDesc.of("java.net.URLStreamHandler");
    private static final ClassDesc HANDLERS = ClassDesc.of("java.net.URLStreamHandlerFactory");
    private static final ClassDesc DRIVERS = ClassDesc.of("java.sql.DriverManager");
    private static final ClassDesc DRIVERS_OF_RANK = ClassDesc.of("org.galerna.launch.RankDrivers");
    private static final ClassDesc LOOKUP =
            ClassDesc.of("java.lang.invoke.MethodHandles").nested("Lookup");
    private static final ClassDesc BYTES = CD_byte.arrayType();

    static final List<Redirect> REDIRECTS = List.of(
            ofStatic(LOADER, "getSystemClassLoader", LOADER),
            ofStatic(LOADER, "getSystemResource", URL, CD_String),
            ofStatic(LOADER, "getSystemResourceAsStream", ClassDesc.of("java.io.InputStream"), CD_String),
            ofStatic(LOADER, "getSystemResources", ClassDesc.of("java.util.Enumeration"), CD_String),
            ofInstance(LOADER, "getParent", LOADER),
            ofInstance(THREAD, "getContextClassLoader", LOADER),
            ofStatic(REPLACED, "newInstance", REPLACED, URL.arrayType()),
            ofStatic(REPLACED, "newInstance", REPLACED, URL.arrayType(), LOADER),
            ofStatic(URL, "setURLStreamHandlerFactory", CD_void, HANDLERS),
            ofStatic(URL, "of", URL, URI, HANDLER),
            ofInstance(URI, "toURL", URL));

    /** What stands before calls that stay. */
    static final List<Prelude> PRELUDES = List.of(
            withLoader(LOADER),
            withLoader(SECURE_LOADER),
            before(
                    Step.MORE_CONTEXT_LOADER,
                    SERVICES,
                    "load",
                    "(Ljava/lang/Class;)Ljava/util/ServiceLoader;",
                    SERVICE_LOADING),
            before(Step.OWN_SERVICE_LOADER, SERVICES, "load", SERVICE_LOADING),
            before(
                    Step.OWN_LOADER,
                    CD_Class,
                    "forName",
                    "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;"),
            before(Step.LIBRARY, SYSTEM, "load", "(Ljava/lang/String;)V"),
            before(Step.LIBRARY, RUNTIME, "load", "(Ljava/lang/String;)V"),
            withDrivers("getConnection", "(Ljava/lang/String;)Ljava/sql/Connection;"),
            withDrivers(
                    "getConnection", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Ljava/sql/Connection;"),
            withDrivers("getConnection", "(Ljava/lang/String;Ljava/util/Properties;)Ljava/sql/Connection;"),
            withDrivers("getDriver", "(Ljava/lang/String;)Ljava/sql/Driver;"),
            withDrivers("getDrivers", "()Ljava/util/Enumeration;"),
            withDrivers("drivers", "()Ljava/util/stream/Stream;"),
            before(Step.URL_OF_TEXT, URL, INIT, "(Ljava/lang/String;)V", URL_WITH_HANDLER),
            before(Step.URL_IN_CONTEXT, URL, INIT, "(Ljava/net/URL;Ljava/lang/String;)V", URL_WITH_HANDLER),
            before(
                    Step.URL_OF_PARTS,
                    URL,
                    INIT,
                    "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V",
                    PARTS_WITH_HANDLER),
            before(
                    Step.URL_WITH_PORT,
                    URL,
                    INIT,
                    "(Ljava/lang/String;Ljava/lang/String;ILjava/lang/String;)V",
                    PARTS_WITH_HANDLER),
            before(Step.CLASS_FILE, LOOKUP, DEFINE_CLASS, "([B)Ljava/lang/Class;"));

    /**
     * The classes that a class loader of the program defines are rewritten like those of the rank. These methods are
     * called with the loader's own class as their owner, so their names and types decide; whatever else has them has a
     * class file in its arguments too.
     */
    private static final Map<String, Step> DEFINITIONS = Map.of(
            "([BII)Ljava/lang/Class;", Step.PART_OF_ARRAY,
            "(Ljava/lang/String;[BII)Ljava/lang/Class;", Step.PART_OF_ARRAY,
            "(Ljava/lang/String;[BIILjava/security/ProtectionDomain;)Ljava/lang/Class;", Step.PART_OF_ARRAY_AND_MORE,
            "(Ljava/lang/String;[BIILjava/security/CodeSource;)Ljava/lang/Class;", Step.PART_OF_ARRAY_AND_MORE);

    /** The class files with one of these names may have something to change. */
    static final List<String> SUFFICIENT_NAMES = List.of(DEFINE_CLASS, REPLACED_NAME);

    private LoadingCalls() {}

    static boolean isReplaced(ClassEntry type) {
        return type.name().equalsString(REPLACED_NAME);
    }

    /** What stands before the definition of a class by a class loader of the program; null for other calls. */
    static @Nullable Prelude ofAnyOwner(InvokeInstruction call) {
        if (!call.name().equalsString(DEFINE_CLASS)) {
            return null;
        }
        String descriptor = call.type().stringValue();
        Step step = DEFINITIONS.get(descriptor);
        return step == null ? null : before(step, call.owner().asSymbol(), DEFINE_CLASS, descriptor);
    }

    /** The instructions before a call. */
    static void write(Step step, CodeBuilder code) {
        switch (step) {
            case DRIVERS -> code.invokestatic(DRIVERS_OF_RANK, "load", MethodTypeDesc.of(CD_void));
            case MORE_LOADER -> call(code, "getSystemClassLoader", LOADER);
            case MORE_CONTEXT_LOADER -> call(code, "contextClassLoader", LOADER);
            case OWN_LOADER -> call(code, "ownLoader", LOADER, LOADER);
            case OWN_SERVICE_LOADER -> call(code, "serviceLoader", LOADER, LOADER);
            case LIBRARY -> call(code, "library", CD_String, CD_String);
            case CLASS_FILE -> call(code, "rewritten", BYTES, BYTES);
            case PART_OF_ARRAY -> writePartOfArray(code);
            case PART_OF_ARRAY_AND_MORE -> {
                int last = store(code);
                writePartOfArray(code);
                code.aload(last);
            }
            case URL_OF_TEXT -> {
                int text = store(code);
                code.aconst_null().aload(text).aload(text);
                call(code, "handler", HANDLER, CD_String);
            }
            case URL_IN_CONTEXT -> {
                code.dup2();
                call(code, "handler", HANDLER, URL, CD_String);
            }
            case URL_OF_PARTS -> {
                int file = store(code);
                int host = store(code);
                code.dup();
                int protocol = store(code);
                code.aload(host).iconst_m1().aload(file).aload(protocol);
                call(code, "handlerOf", HANDLER, CD_String);
            }
            case URL_WITH_PORT -> {
                int file = store(code);
                int port = code.allocateLocal(TypeKind.INT);
                code.istore(port);
                int host = store(code);
                code.dup();
                int protocol = store(code);
                code.aload(host).iload(port).aload(file).aload(protocol);
                call(code, "handlerOf", HANDLER, CD_String);
            }
        }
    }

    private static void writePartOfArray(CodeBuilder code) {
        call(code, "rewritten", BYTES, BYTES, CD_int, CD_int);
        code.dup().arraylength().iconst_0().swap();
    }

    private static Redirect ofStatic(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        return Redirect.ofStatic(TARGET, owner, name, returned, parameters);
    }

    private static Redirect ofInstance(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        return Redirect.ofInstance(TARGET, owner, name, returned, parameters);
    }

    private static Prelude before(Step step, ClassDesc owner, String name, String descriptor) {
        return before(step, owner, name, descriptor, descriptor);
    }

    private static Prelude before(Step step, ClassDesc owner, String name, String descriptor, String called) {
        return new Prelude(owner, name, descriptor, called, step);
    }

    private static Prelude withLoader(ClassDesc owner) {
        return before(Step.MORE_LOADER, owner, INIT, "()V", "(Ljava/lang/ClassLoader;)V");
    }

    private static Prelude withDrivers(String name, String descriptor) {
        return before(Step.DRIVERS, DRIVERS, name, descriptor);
    }

    private static int store(CodeBuilder code) {
        int local = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(local);
        return local;
    }

    private static void call(CodeBuilder code, String name, ClassDesc returned, ClassDesc... parameters) {
        code.invokestatic(TARGET, name, MethodTypeDesc.of(returned, parameters));
    }
}
