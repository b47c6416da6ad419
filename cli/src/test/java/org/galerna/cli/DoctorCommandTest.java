package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.galerna.cli.Galerna.Ended;
import org.galerna.cli.doctor.Examination;
import org.galerna.cli.doctor.Finding;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
    @Test
    void saysWhatEachFindingThatIsNotGoodMeans() {
        assertThat(Examination.findings())
                .extracting(Finding::subject)
                .contains(
                        "JDK",
                        "native access",
                        "processors",
                        "topology",
                        "memory",
                        "/dev/shm",
                        "libibverbs.so.1",
                        "locked memory",
                        "srun");
        assertThat(Examination.findings())
                .filteredOn(finding -> finding.level() != Finding.Level.GOOD)
                .allSatisfy(finding -> assertThat(finding.meaning()).isNotBlank());
    }

    @Test
    void saysOnceThatADeviceCannotBeUsed() {
        assertThat(Examination.findings())
                .filteredOn(finding -> finding.subject().startsWith("device "))
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.meaning()).doesNotContain("cannot be used: "));
    }

    @Test
    void listsWhatUcxAndLibfabricFind() {
        Assumptions.assumeTrue(
                UcxWorker.unavailable().isEmpty() && OfiLibrary.unavailable().isEmpty());
        assertThat(Examination.findings())
                .filteredOn(finding -> finding.subject().startsWith("UCX "))
                .singleElement()
                .satisfies(finding -> assertThat(finding.value()).contains("tcp on ", " at "));
        assertThat(Examination.findings())
                .filteredOn(finding -> finding.subject().startsWith("libfabric "))
                .singleElement()
                .satisfies(finding -> assertThat(finding.value()).contains("tcp;ofi_rxm on ", " at "));
    }

    @Test
    void endsWithZeroWhereGalernaRuns(@TempDir Path folder) throws Exception {
        Ended ended = new Galerna(folder).run("doctor");
        assertThat(ended.status()).as(ended.errors()).isZero();
        assertThat(ended.output()).contains("Everything that Galerna needs is here.");
        assertThat(ended.errors()).isEmpty();
    }
}
