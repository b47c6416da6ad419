package org.galerna.profile.calls;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.stream.StreamSupport;
import org.galerna.link.process.ClassFileRewriter;
import org.galerna.profile.ProfileSettings;

/**
 * Turns each call of package {@code mpi} that takes time into an {@code invokedynamic} of {@link CallSites}, which times it
 * and knows its line without a walk of the stack. The stack before and after is the same, and no instruction becomes the
 * target of a jump, so the stack maps of the compiler stay valid. Calls by method references and reflection are not seen;
 * nor are those of class files older than Java 7, which have no {@code invokedynamic}.
 */
public final class CallRewriter implements ClassFileRewriter {
    private static final String API = "mpi/";

    private static final DirectMethodHandleDesc BOOTSTRAP = ConstantDescs.ofCallsiteBootstrap(
            CallSites.class.describeConstable().orElseThrow(),
            "bootstrap",
            ConstantDescs.CD_CallSite,
            ConstantDescs.CD_MethodHandle,
            ConstantDescs.CD_String,
            ConstantDescs.CD_int);

    private final ClassFile classFile =
            ClassFile.of(ClassFile.StackMapsOption.STACK_MAPS_WHEN_REQUIRED, ClassFile.DeadCodeOption.KEEP_DEAD_CODE);

    /** For {@code ServiceLoader}. */
    public CallRewriter() {}

    @Override
    public boolean isWanted() {
        return ProfileSettings.folder().isPresent();
    }

    @Override
    public byte[] rewrite(byte[] bytes) {
        ClassModel model;
        try {
            model = classFile.parse(bytes);
            if (model.majorVersion() < ClassFile.JAVA_7_VERSION || !mentionsCalls(model)) {
                return bytes;
            }
        } catch (IllegalArgumentException malformed) {
            return bytes; // the JVM has the better message for it
        }
        return classFile.transformClass(
                model, ClassTransform.transformingMethods(CallRewriter::hasCalls, (builder, element) -> {
                    if (element instanceof CodeModel code) {
                        builder.transformCode(code, new Lines(methodOf(code)));
                    } else {
                        builder.with(element);
                    }
                }));
    }

    private static String methodOf(CodeModel code) {
        return code.parent().map(method -> method.methodName().stringValue()).orElse("");
    }

    private static boolean mentionsCalls(ClassModel model) {
        return StreamSupport.stream(model.constantPool().spliterator(), false)
                .anyMatch(entry -> entry instanceof MethodRefEntry method && isTimed(method));
    }

    private static boolean isTimed(MethodRefEntry method) {
        return method.owner().name().stringValue().startsWith(API)
                && CallSites.areLinked(method.name().stringValue());
    }

    private static boolean isTimed(CodeElement element) {
        return element instanceof InvokeInstruction call
                && (call.opcode() == Opcode.INVOKEVIRTUAL || call.opcode() == Opcode.INVOKESTATIC)
                && call.method() instanceof MethodRefEntry method
                && isTimed(method);
    }

    private static boolean hasCalls(MethodModel method) {
        return method.code().stream().flatMap(CodeModel::elementStream).anyMatch(CallRewriter::isTimed);
    }

    /** Changes the calls of one method, and follows its lines. */
    private static final class Lines implements CodeTransform {
        private final String method;
        private int line;

        Lines(String method) {
            this.method = method;
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
            if (element instanceof LineNumber number) {
                line = number.line();
            }
            if (element instanceof InvokeInstruction call && isTimed(element)) {
                replace(builder, call);
            } else {
                builder.with(element);
            }
        }

        private void replace(CodeBuilder builder, InvokeInstruction call) {
            ClassDesc owner = call.owner().asSymbol();
            MethodTypeDesc type = call.typeSymbol();
            String name = call.name().stringValue();
            boolean ofObject = call.opcode() == Opcode.INVOKEVIRTUAL;
            DirectMethodHandleDesc target = MethodHandleDesc.ofMethod(
                    ofObject ? DirectMethodHandleDesc.Kind.VIRTUAL : DirectMethodHandleDesc.Kind.STATIC,
                    owner,
                    name,
                    type);
            builder.invokedynamic(DynamicCallSiteDesc.of(
                    BOOTSTRAP, name, ofObject ? type.insertParameterTypes(0, owner) : type, target, method, line));
        }
    }
}
