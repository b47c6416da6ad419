package org.galerna.launch.program;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
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
import java.util.function.Consumer;
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
    private static final ClassDesc CONNECTION = ClassDesc.of("java.sql.Connection");
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

    /** What stands before calls that stay. The methods of {@code RankLoading} in it are those of {@link #TARGET}. */
    static final List<Prelude> PRELUDES = List.of(
            withLoader(LOADER, "<init>", CD_void),
            withLoader(SECURE_LOADER, "<init>", CD_void),
            withLoader("contextClassLoader", SERVICES, "load", SERVICES, CD_Class),
            withOwnLoader(SERVICES, "load", SERVICES, CD_Class, LOADER),
            withOwnLoader(CD_Class, "forName", CD_Class, CD_String, CD_boolean, LOADER),
            withOwnLibrary(SYSTEM),
            withOwnLibrary(RUNTIME),
            withDrivers("getConnection", CONNECTION, CD_String),
            withDrivers("getConnection", CONNECTION, CD_String, CD_String, CD_String),
            withDrivers("getConnection", CONNECTION, CD_String, ClassDesc.of("java.util.Properties")),
            withDrivers("getDriver", ClassDesc.of("java.sql.Driver"), CD_String),
            withDrivers("getDrivers", ClassDesc.of("java.util.Enumeration")),
            withDrivers("drivers", ClassDesc.of("java.util.stream.Stream")),
            withHandler(List.of(CD_String), code -> {
                int text = store(code);
                code.aconst_null().aload(text).aload(text);
                call(code, "handler", HANDLER, CD_String);
            }),
            withHandler(List.of(URL, CD_String), code -> {
                int text = store(code);
                int context = store(code);
                code.aload(context).aload(text).aload(context).aload(text);
                call(code, "handler", HANDLER, URL, CD_String);
            }),
            withPartsHandler(List.of(CD_String, CD_String, CD_String), code -> {
                int file = store(code);
                int host = store(code);
                int protocol = store(code);
                code.aload(protocol).aload(host).iconst_m1().aload(file).aload(protocol);
                call(code, "handlerOf", HANDLER, CD_String);
            }),
            withPartsHandler(List.of(CD_String, CD_String, CD_int, CD_String), code -> {
                int file = store(code);
                int port = code.allocateLocal(TypeKind.INT);
                code.istore(port);
                int host = store(code);
                int protocol = store(code);
                code.aload(protocol).aload(host).iload(port).aload(file).aload(protocol);
                call(code, "handlerOf", HANDLER, CD_String);
            }),
            before(
                    LOOKUP,
                    DEFINE_CLASS,
                    MethodTypeDesc.of(CD_Class, BYTES),
                    code -> call(code, "rewritten", BYTES, BYTES)));

    /**
     * The classes that a class loader of the program defines are rewritten like those of the rank. These methods are
     * called with the loader's own class as their owner, so their names and types decide; whatever else has them has a
     * class file in its arguments too.
     */
    private static final List<String> DEFINITIONS = List.of(
            MethodTypeDesc.of(CD_Class, BYTES, CD_int, CD_int).descriptorString(),
            MethodTypeDesc.of(CD_Class, CD_String, BYTES, CD_int, CD_int).descriptorString(),
            definitionWith("java.security.ProtectionDomain"),
            definitionWith("java.security.CodeSource"));

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
        if (!DEFINITIONS.contains(descriptor)) {
            return null;
        }
        MethodTypeDesc type = MethodTypeDesc.ofDescriptor(descriptor);
        boolean endsWithReference =
                !type.parameterType(type.parameterCount() - 1).isPrimitive();
        return new Prelude(call.owner().asSymbol(), DEFINE_CLASS, descriptor, type, code -> {
            int last = endsWithReference ? store(code) : -1;
            call(code, "rewritten", BYTES, BYTES, CD_int, CD_int);
            code.dup().arraylength().iconst_0().swap();
            if (endsWithReference) {
                code.aload(last);
            }
        });
    }

    private static String definitionWith(String last) {
        return MethodTypeDesc.of(CD_Class, CD_String, BYTES, CD_int, CD_int, ClassDesc.of(last))
                .descriptorString();
    }

    private static Redirect ofStatic(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        return Redirect.ofStatic(TARGET, owner, name, returned, parameters);
    }

    private static Redirect ofInstance(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        return Redirect.ofInstance(TARGET, owner, name, returned, parameters);
    }

    private static Prelude before(ClassDesc owner, String name, MethodTypeDesc type, Consumer<CodeBuilder> code) {
        return new Prelude(owner, name, type.descriptorString(), type, code);
    }

    /** The rank's class loader as one more argument, where the JDK would take the system class loader. */
    private static Prelude withLoader(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        return withLoader("getSystemClassLoader", owner, name, returned, parameters);
    }

    private static Prelude withLoader(
            String from, ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        MethodTypeDesc type = MethodTypeDesc.of(returned, parameters);
        return new Prelude(
                owner,
                name,
                type.descriptorString(),
                type.insertParameterTypes(parameters.length, LOADER),
                code -> call(code, from, LOADER));
    }

    /** The rank's class loader in place of the system class loader. */
    private static Prelude withOwnLoader(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        String from = owner.equals(SERVICES) ? "serviceLoader" : "ownLoader";
        return before(owner, name, MethodTypeDesc.of(returned, parameters), code -> call(code, from, LOADER, LOADER));
    }

    /** A copy of a native library, which belongs to one class loader. */
    private static Prelude withOwnLibrary(ClassDesc owner) {
        return before(
                owner,
                "load",
                MethodTypeDesc.of(CD_void, CD_String),
                code -> call(code, "library", CD_String, CD_String));
    }

    /** The drivers of the rank are looked for before the JDK asks them. */
    private static Prelude withDrivers(String name, ClassDesc returned, ClassDesc... parameters) {
        return before(
                DRIVERS,
                name,
                MethodTypeDesc.of(returned, parameters),
                code -> code.invokestatic(
                        ClassDesc.of("org.galerna.launch.RankDrivers"), "load", MethodTypeDesc.of(CD_void)));
    }

    private static Prelude withHandler(List<ClassDesc> parameters, Consumer<CodeBuilder> code) {
        return construction(parameters, MethodTypeDesc.of(CD_void, URL, CD_String, HANDLER), code);
    }

    private static Prelude withPartsHandler(List<ClassDesc> parameters, Consumer<CodeBuilder> code) {
        return construction(
                parameters, MethodTypeDesc.of(CD_void, CD_String, CD_String, CD_int, CD_String, HANDLER), code);
    }

    private static Prelude construction(List<ClassDesc> parameters, MethodTypeDesc called, Consumer<CodeBuilder> code) {
        return new Prelude(URL, "<init>", MethodTypeDesc.of(CD_void, parameters).descriptorString(), called, code);
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
