package org.galerna.launch.program;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;

/**
 * Instructions that come before a call, which stays where it is, since the JDK looks at the class that calls, or since it
 * is that of a constructor.
 *
 * @param owner the class with the method that the program calls
 * @param descriptor of that method
 * @param called type of the method of the same name and owner that is called after the instructions
 * @param instructions turn the arguments of the one method into those of the other
 */
record Prelude(
        ClassDesc owner, String name, String descriptor, MethodTypeDesc called, Consumer<CodeBuilder> instructions)
        implements Change {}
