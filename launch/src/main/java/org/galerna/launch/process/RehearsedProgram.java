package org.galerna.launch.process;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.galerna.launch.ClassesFolder;

/** A program from outside {@code galerna.jar}, as those of users are: it calls {@link AotCache#REHEARSAL} and prints a line. */
final class RehearsedProgram {
    /** Its class. */
    static final String NAME = "Rehearsed";

    private RehearsedProgram() {}

    /** Writes it into a folder of its own, which {@link ClassesFolder#remove} removes. */
    static Path write() throws IOException {
        return ClassesFolder.write(Map.of(NAME, classFile()));
    }

    /** A class file such as compilers write. Those of users are changed when they are loaded, and Galerna's own are not. */
    private static byte[] classFile() {
        ClassDesc system = ClassDesc.of("java.lang.System");
        ClassDesc stream = ClassDesc.of("java.io.PrintStream");
        MethodTypeDesc main = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String.arrayType());
        DynamicCallSiteDesc concatenation = DynamicCallSiteDesc.of(
                ConstantDescs.ofCallsiteBootstrap(
                        ClassDesc.of("java.lang.invoke.StringConcatFactory"),
                        "makeConcatWithConstants",
                        ConstantDescs.CD_CallSite,
                        ConstantDescs.CD_String,
                        ConstantDescs.CD_Object.arrayType()),
                "makeConcatWithConstants",
                MethodTypeDesc.of(ConstantDescs.CD_String, ConstantDescs.CD_long, ConstantDescs.CD_double),
                "\u0001 \u0001");
        Consumer<CodeBuilder> body = code -> code.lineNumber(1)
                .aload(0)
                .invokestatic(ClassDesc.of(AotCache.REHEARSAL), "main", main)
                .lineNumber(2)
                .getstatic(system, "out", stream)
                .ldc(2L)
                .ldc(2.5)
                .invokedynamic(concatenation)
                .invokevirtual(stream, "println", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String))
                .lineNumber(3)
                .iconst_0()
                .invokestatic(system, "exit", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int))
                .return_();
        return ClassFile.of()
                .build(
                        ClassDesc.of(NAME),
                        type -> type.with(SourceFileAttribute.of(NAME + ".java"))
                                .withMethodBody(
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void,
                                        ClassFile.ACC_PUBLIC,
                                        code -> code.aload(0)
                                                .invokespecial(
                                                        ConstantDescs.CD_Object,
                                                        ConstantDescs.INIT_NAME,
                                                        ConstantDescs.MTD_void)
                                                .return_())
                                .withMethodBody("main", main, ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, body));
    }
}
