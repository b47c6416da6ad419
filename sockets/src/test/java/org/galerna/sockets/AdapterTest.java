package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sockets over adapters: software RoCE and iWARP of the Linux kernel, in a virtual machine; in one of its own for each test,
 * because several Java programs that are emulated take as long as a guest may run.
 */
@Tag("adapter")
@Timeout(3000)
class AdapterTest {
    static List<String> tests() {
        return tests(LinkPipes.class).sorted().toList();
    }

    private static Stream<String> tests(Class<?> suite) {
        return Stream.of(suite.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .filter(method -> !method.isAnnotationPresent(Tag.class)) // which the guest leaves out
                .map(Method::getName);
    }

    private static void pass(boolean iwarp, List<String> options, String test) throws InterruptedException {
        assertThat(RdmaGuest.prepare(iwarp).runTests(options, List.of(VerbsPipesSuite.class.getName() + "#" + test)))
                .contains(" tests have passed, 0 have failed");
    }

    @Test
    void aStreamGoesThroughTheAdapter() throws InterruptedException {
        pass(false, List.of(RdmaGuest.SEVERAL_ADDRESSES), "theAdapterCountsThePacketsOfAStream");
    }

    @ParameterizedTest
    @MethodSource("tests")
    @Tag("slow")
    void roce(String test) throws InterruptedException {
        pass(false, List.of(RdmaGuest.SEVERAL_ADDRESSES), test);
    }

    @ParameterizedTest
    @MethodSource("tests")
    @Tag("slow")
    void iwarp(String test) throws InterruptedException {
        pass(true, List.of("-Dgalerna.verbs.adapter=siw0", "-Dgalerna.test.address=10.78.0.1"), test);
    }
}
