package org.galerna.launch.program;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
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
import java.lang.classfile.Superclass;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the parts of a program that mean its process: {@code System.exit} ends a process and {@code System.out} is
 * a process's output, but ranks that are threads share one; a process that a rank starts is not to be bound like
 * the rank; and the system class loader of a process has the program on its class path. Each such call or read of a field
 * becomes a call of the static method of the same name in {@code org.galerna.launch.RankRuntime} or {@code RankLoading},
 * which does the same for the calling rank alone; the receiver of an instance method becomes the first argument. Method
 * references are rewritten too (see {@link HandleRedirects}); reflective calls are not. Where the JDK has to see the caller, and for constructors, other
 * instructions come before the call (see {@link LoadingCalls}).
 *
 * <p>No instruction is a target of a jump that was none before, and the instructions that are put before a call neither
 * jump nor change the locals that were there, so that the stack maps of the compiler stay valid and no class has to be
 * looked up.
 */
public final class CallRedirects {
    private static final List<Change> ALL = new ArrayList<>();

    private static final Map<String, Change> BY_KEY = new HashMap<>();

    /** Most calls are of other classes, which are found out faster without the names of their methods. */
    private static final Set<String> OWNERS = new HashSet<>();

    static {
        ALL.addAll(ProcessCalls.REDIRECTS);
        ALL.addAll(LoadingCalls.REDIRECTS);
        ALL.addAll(LoadingCalls.PRELUDES);
        ALL.addAll(SharedCalls.REDIRECTS);
        for (Change change : ALL) {
            BY_KEY.put(change.key(), change);
            OWNERS.add(change.internalOwner());
        }
    }

    private static final Mentions MENTIONS = new Mentions(ALL, LoadingCalls.SUFFICIENT_NAMES);

    private static final int MAJOR_VERSION_OFFSET = 6;

    private final ClassFile classFile =
            ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS, ClassFile.DeadCodeOption.KEEP_DEAD_CODE);

    /** The class file with its calls redirected; {@code bytes} itself if there is nothing to redirect. */
    public byte[] apply(byte[] bytes) {
        if (bytes.length <= MAJOR_VERSION_OFFSET + 1 || isFromTheFuture(bytes) || !MENTIONS.in(bytes)) {
            return bytes;
        }
        try {
            ClassModel model = classFile.parse(bytes);
            HandleRedirects handles = new HandleRedirects(
                    model.thisClass().asSymbol(), model.flags().has(AccessFlag.INTERFACE));
            return classFile.transformClass(
                    model,
                    ClassTransform.transformingMethods(
                                    CallRedirects::needsChange,
                                    (builder, element) -> rewriteMethod(builder, element, handles))
                            .andThen(CallRedirects::replaceSuperclass)
                            .andThen(ClassTransform.endHandler(
                                    builder -> handles.addMethods(builder, CallRedirects::rewrite))));
        } catch (IllegalArgumentException malformed) {
            // the JVM has the better message for it
            return bytes;
        }
    }

    private static void replaceSuperclass(ClassBuilder builder, ClassElement element) {
        if (element instanceof Superclass parent && LoadingCalls.isReplaced(parent.superclassEntry())) {
            builder.withSuperclass(LoadingCalls.REPLACEMENT);
        } else {
            builder.with(element);
        }
    }

    private static boolean needsChange(MethodModel method) {
        return method.code().stream().flatMap(CodeModel::elementStream).anyMatch(element -> switch (element) {
            case FieldInstruction read -> find(read) != null;
            case InvokeInstruction call -> isReplacedConstructor(call) || find(call) != null;
            case NewObjectInstruction creation -> LoadingCalls.isReplaced(creation.className());
            case InvokeDynamicInstruction call -> call.bootstrapArgs().stream().anyMatch(HandleRedirects::concerns);
            case LoadConstantInstruction constant -> HandleRedirects.concerns(constant.constantValue());
            default -> false;
        });
    }

    private static void rewriteMethod(MethodBuilder builder, MethodElement element, HandleRedirects handles) {
        if (element instanceof CodeModel code) {
            // without this the maps would be left out, and with any other option computed anew
            CodeTransform keepStackMaps = CodeTransform.endHandler(
                    end -> code.findAttribute(Attributes.stackMapTable()).ifPresent(end::with));
            builder.transformCode(
                    code,
                    CodeTransform.ACCEPT_ALL
                            .andThen((instructions, each) -> rewrite(instructions, each, handles))
                            .andThen(keepStackMaps));
        } else {
            builder.with(element);
        }
    }

    private static void rewrite(CodeBuilder builder, CodeElement element, HandleRedirects handles) {
        switch (element) {
            case FieldInstruction read -> {
                if (find(read) instanceof Redirect redirect) {
                    builder.invokestatic(redirect.target(), redirect.name(), redirect.targetType());
                } else {
                    builder.with(element);
                }
            }
            case InvokeInstruction call -> rewrite(builder, call);
            case NewObjectInstruction creation
            when LoadingCalls.isReplaced(creation.className()) -> builder.new_(LoadingCalls.REPLACEMENT);
            case InvokeDynamicInstruction call -> {
                ConstantDesc[] arguments = call.bootstrapArgs().toArray(ConstantDesc[]::new);
                builder.invokedynamic(DynamicCallSiteDesc.of(
                        call.bootstrapMethod(),
                        call.name().stringValue(),
                        call.typeSymbol(),
                        handles.redirected(arguments)));
            }
            case LoadConstantInstruction constant
            when HandleRedirects.concerns(constant.constantValue()) ->
                builder.loadConstant(handles.redirected(constant.constantValue()));
            default -> builder.with(element);
        }
    }

    private static void rewrite(CodeBuilder builder, InvokeInstruction call) {
        if (isReplacedConstructor(call)) {
            builder.invokespecial(LoadingCalls.REPLACEMENT, call.name().stringValue(), call.typeSymbol());
            return;
        }
        switch (find(call)) {
            case null -> builder.with(call);
            case Redirect redirect -> builder.invokestatic(redirect.target(), redirect.name(), redirect.targetType());
            case Prelude prelude -> {
                LoadingCalls.write(prelude.step(), builder);
                builder.invoke(
                        call.opcode(),
                        call.owner().asSymbol(),
                        prelude.name(),
                        MethodTypeDesc.ofDescriptor(prelude.called()),
                        call.isInterface());
            }
        }
    }

    private static boolean isReplacedConstructor(InvokeInstruction call) {
        return LoadingCalls.isReplaced(call.owner()) && call.name().equalsString("<init>");
    }

    private static @Nullable Change find(InvokeInstruction call) {
        Prelude ofAnyOwner = LoadingCalls.ofAnyOwner(call);
        Change change = ofAnyOwner == null ? find(call.method()) : ofAnyOwner;
        // a method that calls the one it overrides would come back to itself
        boolean overridden = call.opcode() == Opcode.INVOKESPECIAL && change instanceof Redirect;
        return overridden ? null : change;
    }

    private static @Nullable Change find(FieldInstruction access) {
        return access.opcode() == Opcode.GETSTATIC ? find(access.field()) : null;
    }

    private static @Nullable Change find(MemberRefEntry member) {
        String owner = member.owner().name().stringValue();
        return OWNERS.contains(owner)
                ? find(owner, member.name().stringValue(), member.type().stringValue())
                : null;
    }

    /** What becomes of a method or field, by its names as they stand in a class file; null if it stays. */
    static @Nullable Change find(String owner, String name, String descriptor) {
        return BY_KEY.get(Change.key(owner, name, descriptor));
    }

    private static boolean isFromTheFuture(byte[] bytes) {
        int major = ((bytes[MAJOR_VERSION_OFFSET] & 0xff) << 8) | (bytes[MAJOR_VERSION_OFFSET + 1] & 0xff);
        return major > ClassFile.latestMajorVersion();
    }
}
