package org.galerna.launch.program;

import static java.lang.constant.ConstantDescs.CD_List;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.io.InputStream;
import java.io.PrintStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodBuilder;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.FieldInstruction;
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
 * Rewrites the parts of a program that mean its process: {@code System.exit} ends a process and {@code System.out} is
 * a process's output, but ranks that are threads share one; and a process that a rank starts is not to be bound like
 * the rank. Each such call or read of a field becomes a call of the
 * static method of the same name in {@code org.galerna.launch.RankRuntime}, which does the same for the calling rank
 * alone; the receiver of an instance method becomes the first argument. Method references are rewritten too;
 * reflective calls are not.
 *
 * <p>A rewritten instruction takes and leaves the same operands and is as long as the one before, so that the stack
 * maps of the compiler stay valid and no class has to be looked up.
 */
public final class CallRedirects {
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

    /** What the program refers to. */
    enum Kind {
        STATIC_METHOD,
        INSTANCE_METHOD,
        STATIC_FIELD
    }

    /**
     * A method that is called in place of another, or in place of the read of a field.
     *
     * @param descriptor of the method or field that the program refers to
     */
    record Redirect(Kind kind, ClassDesc owner, String name, String descriptor) {
        private static Redirect ofStatic(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
            return new Redirect(
                    Kind.STATIC_METHOD,
                    owner,
                    name,
                    MethodTypeDesc.of(returned, parameters).descriptorString());
        }

        private static Redirect ofInstance(ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
            return new Redirect(
                    Kind.INSTANCE_METHOD,
                    owner,
                    name,
                    MethodTypeDesc.of(returned, parameters).descriptorString());
        }

        private static Redirect ofField(ClassDesc owner, String name, ClassDesc type) {
            return new Redirect(Kind.STATIC_FIELD, owner, name, type.descriptorString());
        }

        MethodTypeDesc targetType() {
            return switch (kind) {
                case STATIC_METHOD -> MethodTypeDesc.ofDescriptor(descriptor);
                case INSTANCE_METHOD -> MethodTypeDesc.ofDescriptor(descriptor).insertParameterTypes(0, owner);
                case STATIC_FIELD -> MethodTypeDesc.of(ClassDesc.ofDescriptor(descriptor));
            };
        }

        private String key() {
            String ownerDescriptor = owner.descriptorString();
            return key(ownerDescriptor.substring(1, ownerDescriptor.length() - 1), name, descriptor);
        }

        private static String key(String owner, String name, String descriptor) {
            return owner + "." + name + descriptor;
        }
    }

    static final List<Redirect> ALL = List.of(
            Redirect.ofStatic(SYSTEM, "exit", CD_void, CD_int),
            Redirect.ofInstance(RUNTIME, "exit", CD_void, CD_int),
            Redirect.ofInstance(RUNTIME, "halt", CD_void, CD_int),
            Redirect.ofInstance(RUNTIME, "addShutdownHook", CD_void, THREAD),
            Redirect.ofInstance(RUNTIME, "removeShutdownHook", CD_boolean, THREAD),
            Redirect.ofField(SYSTEM, "in", IN),
            Redirect.ofField(SYSTEM, "out", OUT),
            Redirect.ofField(SYSTEM, "err", OUT),
            Redirect.ofStatic(SYSTEM, "setIn", CD_void, IN),
            Redirect.ofStatic(SYSTEM, "setOut", CD_void, OUT),
            Redirect.ofStatic(SYSTEM, "setErr", CD_void, OUT),
            Redirect.ofStatic(THREAD, "setDefaultUncaughtExceptionHandler", CD_void, HANDLER),
            Redirect.ofStatic(THREAD, "getDefaultUncaughtExceptionHandler", HANDLER),
            Redirect.ofInstance(PROCESS_BUILDER, "start", PROCESS),
            Redirect.ofStatic(PROCESS_BUILDER, "startPipeline", CD_List, CD_List),
            Redirect.ofInstance(RUNTIME, "exec", PROCESS, CD_String),
            Redirect.ofInstance(RUNTIME, "exec", PROCESS, CD_String, STRINGS),
            Redirect.ofInstance(RUNTIME, "exec", PROCESS, CD_String, STRINGS, FILE),
            Redirect.ofInstance(RUNTIME, "exec", PROCESS, STRINGS),
            Redirect.ofInstance(RUNTIME, "exec", PROCESS, STRINGS, STRINGS),
            Redirect.ofInstance(RUNTIME, "exec", PROCESS, STRINGS, STRINGS, FILE),
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

    private final ClassFile classFile =
            ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS, ClassFile.DeadCodeOption.KEEP_DEAD_CODE);

    /** The class file with its calls redirected; {@code bytes} itself if there is nothing to redirect. */
    public byte[] apply(byte[] bytes) {
        if (bytes.length <= MAJOR_VERSION_OFFSET + 1 || !mentionsAny(bytes) || isFromTheFuture(bytes)) {
            return bytes;
        }
        try {
            ClassModel model = classFile.parse(bytes);
            return classFile.transformClass(
                    model,
                    ClassTransform.transformingMethods(CallRedirects::needsChange, CallRedirects::rewriteMethod));
        } catch (IllegalArgumentException malformed) {
            // the JVM has the better message for it
            return bytes;
        }
    }

    private static boolean needsChange(MethodModel method) {
        return method.code().stream().flatMap(CodeModel::elementStream).anyMatch(element -> switch (element) {
            case FieldInstruction read -> find(read) != null;
            case InvokeInstruction call -> find(call) != null;
            case InvokeDynamicInstruction call ->
                call.bootstrapArgs().stream().anyMatch(argument -> argument != redirected(argument));
            default -> false;
        });
    }

    private static void rewriteMethod(MethodBuilder builder, MethodElement element) {
        if (element instanceof CodeModel code) {
            // without this the maps would be left out, and with any other option computed anew
            CodeTransform keepStackMaps = CodeTransform.endHandler(
                    end -> code.findAttribute(Attributes.stackMapTable()).ifPresent(end::with));
            builder.transformCode(
                    code,
                    CodeTransform.ACCEPT_ALL.andThen(CallRedirects::rewrite).andThen(keepStackMaps));
        } else {
            builder.with(element);
        }
    }

    private static void rewrite(CodeBuilder builder, CodeElement element) {
        switch (element) {
            case FieldInstruction read -> call(builder, read, find(read));
            case InvokeInstruction call -> call(builder, call, find(call));
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

    private static void call(CodeBuilder builder, CodeElement original, @Nullable Redirect redirect) {
        if (redirect == null) {
            builder.with(original);
        } else {
            builder.invokestatic(TARGET, redirect.name(), redirect.targetType());
        }
    }

    private static @Nullable Redirect find(InvokeInstruction call) {
        return find(call.method());
    }

    private static @Nullable Redirect find(FieldInstruction access) {
        return access.opcode() == Opcode.GETSTATIC ? find(access.field()) : null;
    }

    private static @Nullable Redirect find(MemberRefEntry member) {
        String owner = member.owner().name().stringValue();
        return owner.startsWith("java/lang/")
                ? BY_KEY.get(Redirect.key(
                        owner, member.name().stringValue(), member.type().stringValue()))
                : null;
    }

    private static ConstantDesc redirected(ConstantDesc argument) {
        if (!(argument instanceof DirectMethodHandleDesc handle)
                || !handle.owner().isClassOrInterface()) {
            return argument;
        }
        String owner = handle.owner().descriptorString();
        Redirect redirect = BY_KEY.get(
                Redirect.key(owner.substring(1, owner.length() - 1), handle.methodName(), handle.lookupDescriptor()));
        return redirect == null
                ? argument
                : MethodHandleDesc.ofMethod(
                        DirectMethodHandleDesc.Kind.STATIC, TARGET, redirect.name(), redirect.targetType());
    }

    /** Many classes have none of the names in them; only the others are taken apart. */
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
