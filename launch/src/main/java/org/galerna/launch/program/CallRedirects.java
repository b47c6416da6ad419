package org.galerna.launch.program;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the calls of a program that mean its process: {@code System.exit} ends a process, but ranks that are
 * threads share one. Each such call becomes a call of the static method of the same name in
 * {@code org.galerna.launch.RankRuntime}, which does the same for the calling rank alone; the receiver of an instance
 * method becomes the first argument. Method references are rewritten too; reflective calls are not.
 */
public final class CallRedirects {
    /** Where the calls go. */
    static final ClassDesc TARGET = ClassDesc.of("org.galerna.launch.RankRuntime");

    private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
    private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
    private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
    private static final ClassDesc IO = ClassDesc.of("java.lang.IO");
    private static final ClassDesc HANDLER = THREAD.nested("UncaughtExceptionHandler");
    private static final ClassDesc OUT = PrintStream.class.describeConstable().orElseThrow();
    private static final ClassDesc IN = InputStream.class.describeConstable().orElseThrow();

    /** A method that is called in place of another. */
    record Redirect(ClassDesc owner, String name, MethodTypeDesc type, boolean isStatic) {
        private static Redirect ofStatic(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
            return new Redirect(owner, name, MethodTypeDesc.of(returned, parameters), true);
        }

        private static Redirect ofInstance(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
            return new Redirect(owner, name, MethodTypeDesc.of(returned, parameters), false);
        }

        MethodTypeDesc targetType() {
            return isStatic ? type : type.insertParameterTypes(0, owner);
        }

        private String key() {
            return key(owner, name, type.descriptorString());
        }

        private static String key(ClassDesc owner, String name, String descriptor) {
            return owner.descriptorString() + name + descriptor;
        }
    }

    static final List<Redirect> ALL = List.of(
            Redirect.ofStatic(SYSTEM, "exit", CD_void, CD_int),
            Redirect.ofInstance(RUNTIME, "exit", CD_void, CD_int),
            Redirect.ofInstance(RUNTIME, "halt", CD_void, CD_int),
            Redirect.ofInstance(RUNTIME, "addShutdownHook", CD_void, THREAD),
            Redirect.ofInstance(RUNTIME, "removeShutdownHook", CD_boolean, THREAD),
            Redirect.ofStatic(SYSTEM, "setIn", CD_void, IN),
            Redirect.ofStatic(SYSTEM, "setOut", CD_void, OUT),
            Redirect.ofStatic(SYSTEM, "setErr", CD_void, OUT),
            Redirect.ofStatic(THREAD, "setDefaultUncaughtExceptionHandler", CD_void, HANDLER),
            Redirect.ofStatic(THREAD, "getDefaultUncaughtExceptionHandler", HANDLER),
            Redirect.ofStatic(IO, "readln", CD_String),
            Redirect.ofStatic(IO, "readln", CD_String, CD_String));

    private static final Map<String, Redirect> BY_KEY =
            ALL.stream().collect(Collectors.toUnmodifiableMap(Redirect::key, redirect -> redirect));

    /** The names as they stand in a constant pool: tag 1, length, bytes. */
    private static final List<byte[]> NAMES = ALL.stream()
            .map(Redirect::name)
            .distinct()
            .map(CallRedirects::constant)
            .toList();

    private static final int MAJOR_VERSION_OFFSET = 6;

    private final ClassFile classFile;

    /** Redirects in classes whose super classes are found among {@code classes}. */
    public CallRedirects(ClassPath classes) {
        ClassHierarchyResolver fromProgram = ClassHierarchyResolver.ofResourceParsing(name -> open(classes, name));
        this.classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                fromProgram.orElse(ClassHierarchyResolver.defaultResolver()).cached()));
    }

    /** The class file with the calls redirected; {@code bytes} itself if it has none of them. */
    public byte[] apply(byte[] bytes) {
        if (!mentionsAny(bytes) || isFromTheFuture(bytes)) {
            return bytes;
        }
        try {
            ClassModel model = classFile.parse(bytes);
            return classFile.transformClass(
                    model, ClassTransform.transformingMethodBodies(CallRedirects::calls, CallRedirects::rewrite));
        } catch (IllegalArgumentException notUnderstood) {
            // malformed, or refers to classes that are not there: the JVM is the better judge of both
            return bytes;
        }
    }

    private static @Nullable InputStream open(ClassPath classes, ClassDesc name) {
        String descriptor = name.descriptorString();
        try {
            return classes.open(descriptor.substring(1, descriptor.length() - 1) + ".class");
        } catch (IOException unreadable) {
            return null;
        }
    }

    private static boolean calls(MethodModel method) {
        return method.code().stream().flatMap(code -> code.elementStream()).anyMatch(element -> switch (element) {
            case InvokeInstruction call -> find(call) != null;
            case InvokeDynamicInstruction call ->
                call.bootstrapArgs().stream().anyMatch(argument -> argument != redirected(argument));
            default -> false;
        });
    }

    private static void rewrite(CodeBuilder builder, CodeElement element) {
        switch (element) {
            case InvokeInstruction call -> {
                Redirect redirect = find(call);
                if (redirect == null) {
                    builder.with(call);
                } else {
                    builder.invokestatic(TARGET, redirect.name(), redirect.targetType());
                }
            }
            case InvokeDynamicInstruction call -> {
                ConstantDesc[] arguments = call.bootstrapArgs().stream()
                        .map(CallRedirects::redirected)
                        .toArray(ConstantDesc[]::new);
                builder.invokedynamic(DynamicCallSiteDesc.of(
                        call.bootstrapMethod(), call.name().stringValue(), call.typeSymbol(), arguments));
            }
            default -> builder.with(element);
        }
    }

    private static @Nullable Redirect find(InvokeInstruction call) {
        return call.owner().name().stringValue().startsWith("java/lang/")
                ? BY_KEY.get(Redirect.key(
                        call.owner().asSymbol(),
                        call.name().stringValue(),
                        call.type().stringValue()))
                : null;
    }

    private static ConstantDesc redirected(ConstantDesc argument) {
        if (!(argument instanceof DirectMethodHandleDesc handle)) {
            return argument;
        }
        Redirect redirect = BY_KEY.get(Redirect.key(handle.owner(), handle.methodName(), handle.lookupDescriptor()));
        return redirect == null
                ? argument
                : MethodHandleDesc.ofMethod(
                        DirectMethodHandleDesc.Kind.STATIC, TARGET, redirect.name(), redirect.targetType());
    }

    /** Most classes have none of the names in them; only the others are taken apart. */
    private static boolean mentionsAny(byte[] bytes) {
        for (int start = 0; start < bytes.length - 3; start++) {
            if (bytes[start] == 1) {
                for (byte[] name : NAMES) {
                    int end = start + name.length;
                    if (end <= bytes.length && Arrays.equals(bytes, start, end, name, 0, name.length)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean isFromTheFuture(byte[] bytes) {
        int major = ((bytes[MAJOR_VERSION_OFFSET] & 0xff) << 8) | (bytes[MAJOR_VERSION_OFFSET + 1] & 0xff);
        return major > ClassFile.latestMajorVersion();
    }

    private static byte[] constant(String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        byte[] constant = new byte[text.length + 3];
        constant[0] = 1;
        constant[1] = (byte) (text.length >> 8);
        constant[2] = (byte) text.length;
        System.arraycopy(text, 0, constant, 3, text.length);
        return constant;
    }
}
