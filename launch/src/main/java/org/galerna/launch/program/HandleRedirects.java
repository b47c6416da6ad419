package org.galerna.launch.program;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DirectMethodHandleDesc.Kind;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The method handles among the constants of one class, which method references and lambdas are made of. Where a call would
 * become another call, its handle becomes a handle of the other method. Where instructions come before a call, the class
 * gets a method with these instructions and the call: the JDK looks at the class that calls.
 */
final class HandleRedirects {
    private static final String PREFIX = "galerna$handle$";

    private static final int METHOD = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

    private final ClassDesc type;
    private final boolean isInterface;

    /** The handles that methods of the class stand for, with these methods. */
    private final Map<DirectMethodHandleDesc, DirectMethodHandleDesc> methods = new LinkedHashMap<>();

    HandleRedirects(ClassDesc type, boolean isInterface) {
        this.type = type;
        this.isInterface = isInterface;
    }

    /** Whether {@link #redirected} has something else for this constant. */
    static boolean concerns(ConstantDesc constant) {
        return switch (constant) {
            case DirectMethodHandleDesc handle -> isReplacedConstructor(handle) || find(handle) != null;
            case DynamicConstantDesc<?> dynamic -> {
                for (ConstantDesc each : dynamic.bootstrapArgs()) {
                    if (concerns(each)) {
                        yield true;
                    }
                }
                yield false;
            }
            default -> false;
        };
    }

    /** What stands in place of a constant; the constant itself if it is no concern of ranks. */
    ConstantDesc redirected(ConstantDesc constant) {
        if (!concerns(constant)) {
            return constant;
        }
        return switch (constant) {
            case DirectMethodHandleDesc handle -> redirected(handle);
            case DynamicConstantDesc<?> dynamic ->
                DynamicConstantDesc.ofNamed(
                        dynamic.bootstrapMethod(),
                        dynamic.constantName(),
                        dynamic.constantType(),
                        redirected(dynamic.bootstrapArgs()));
            default -> constant;
        };
    }

    /** Likewise for several. */
    ConstantDesc[] redirected(ConstantDesc[] constants) {
        ConstantDesc[] results = new ConstantDesc[constants.length];
        for (int index = 0; index < constants.length; index++) {
            results[index] = redirected(constants[index]);
        }
        return results;
    }

    private DirectMethodHandleDesc redirected(DirectMethodHandleDesc handle) {
        if (isReplacedConstructor(handle)) {
            return MethodHandleDesc.of(
                    Kind.CONSTRUCTOR, LoadingCalls.REPLACEMENT, handle.methodName(), handle.lookupDescriptor());
        }
        if (find(handle) instanceof Redirect redirect) {
            return MethodHandleDesc.ofMethod(Kind.STATIC, redirect.target(), redirect.name(), redirect.targetType());
        }
        DirectMethodHandleDesc known = methods.get(handle);
        if (known == null) {
            known = MethodHandleDesc.ofMethod(
                    isInterface ? Kind.INTERFACE_STATIC : Kind.STATIC,
                    type,
                    PREFIX + methods.size(),
                    handle.invocationType());
            methods.put(handle, known);
        }
        return known;
    }

    /**
     * Adds the methods that {@link #redirected} has named.
     *
     * @param rewrite writes what becomes of an instruction
     */
    void addMethods(ClassBuilder builder, BiConsumer<CodeBuilder, InvokeInstruction> rewrite) {
        methods.forEach((handle, method) -> builder.withMethodBody(
                method.methodName(), method.invocationType(), METHOD, code -> write(code, handle, rewrite)));
    }

    /** Straight on, so that no stack map is needed. */
    private static void write(
            CodeBuilder code, DirectMethodHandleDesc handle, BiConsumer<CodeBuilder, InvokeInstruction> rewrite) {
        MethodTypeDesc invocation = handle.invocationType();
        if (handle.kind() == Kind.CONSTRUCTOR) {
            code.new_(handle.owner()).dup();
        }
        for (int index = 0; index < invocation.parameterCount(); index++) {
            code.loadLocal(TypeKind.from(invocation.parameterType(index)), code.parameterSlot(index));
        }
        MethodTypeDesc descriptor = MethodTypeDesc.ofDescriptor(handle.lookupDescriptor());
        rewrite.accept(
                code,
                InvokeInstruction.of(
                        opcode(handle.kind()),
                        code.constantPool().classEntry(handle.owner()),
                        code.constantPool().utf8Entry(handle.methodName()),
                        code.constantPool().utf8Entry(descriptor),
                        handle.isOwnerInterface()));
        code.return_(TypeKind.from(invocation.returnType()));
    }

    private static Opcode opcode(Kind kind) {
        return switch (kind) {
            case STATIC, INTERFACE_STATIC -> Opcode.INVOKESTATIC;
            case CONSTRUCTOR -> Opcode.INVOKESPECIAL;
            case INTERFACE_VIRTUAL -> Opcode.INVOKEINTERFACE;
            default -> Opcode.INVOKEVIRTUAL;
        };
    }

    private static boolean isReplacedConstructor(DirectMethodHandleDesc handle) {
        return handle.kind() == Kind.CONSTRUCTOR && handle.owner().equals(LoadingCalls.REPLACED);
    }

    private static @Nullable Change find(DirectMethodHandleDesc handle) {
        boolean replaceable = switch (handle.kind()) {
            case SPECIAL, INTERFACE_SPECIAL, GETTER, SETTER, STATIC_SETTER -> false;
            default -> handle.owner().isClassOrInterface();
        };
        String owner = handle.owner().descriptorString();
        return replaceable
                ? CallRedirects.find(
                        owner.substring(1, owner.length() - 1), handle.methodName(), handle.lookupDescriptor())
                : null;
    }
}
