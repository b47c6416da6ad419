package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.CodeAttribute;
import org.galerna.mpi.request.BaseRequest;
import org.galerna.mpi.request.PointToPoint;
import org.junit.jupiter.api.Test;

/**
 * What has to be inlined is small enough, and what must not be is large enough: HotSpot inlines hot methods of at most
 * 325 bytes of bytecode. Receiving allocates a status for every message if that goes wrong.
 */
class CodeSizeTest {
    private static final int FREQUENT_INLINE_SIZE = 325;

    private static int codeSize(Class<?> type, String method, String descriptor) throws IOException {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream stream = type.getResourceAsStream(file)) {
            return ClassFile.of().parse(stream.readAllBytes()).methods().stream()
                    .filter(each -> each.methodName().equalsString(method)
                            && each.methodType().stringValue().startsWith(descriptor))
                    .map(each -> (CodeAttribute) each.code().orElseThrow())
                    .findFirst()
                    .orElseThrow()
                    .codeLength();
        }
    }

    @Test
    void callsThatTheProgramMakesAreInlinedIntoIt() throws IOException {
        for (String call : new String[] {"Send", "Recv", "Isend", "Irecv"}) {
            assertThat(codeSize(Comm.class, call, "(Ljava/lang/Object;"))
                    .as(call)
                    .isLessThan(FREQUENT_INLINE_SIZE / 2);
        }
        assertThat(codeSize(BaseRequest.class, "await", "(")).isLessThan(FREQUENT_INLINE_SIZE / 2);
    }

    @Test
    void whatReceivesIsACallOfItsOwn() throws IOException {
        assertThat(codeSize(PointToPoint.class, "receive", "(Ljava/lang/Object;"))
                .isGreaterThan(FREQUENT_INLINE_SIZE);
    }
}
