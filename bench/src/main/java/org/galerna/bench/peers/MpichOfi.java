package org.galerna.bench.peers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.bench.suite.Contender;

/**
 * An MPICH that can talk over libfabric, and does so with all ranks, those of its host included. Debian's cannot; the one of PyPI
 * has libfabric and UCX.
 */
public final class MpichOfi extends MpiPeer {
    /** As it is found on the search path of commands. */
    public MpichOfi() {
        this(MpiInstallation.searchPath());
    }

    MpichOfi(List<Path> folders) {
        super(
                "mpich-ofi",
                "",
                MpiInstallation.find("mpich", List.of("--with-device=ch4:ofi", "--with-device=ch4:ucx,ofi"), folders));
    }

    @Override
    public Optional<String> unavailable() {
        return super.unavailable()
                .map(_ ->
                        "no MPICH with libfabric is on the PATH: python3 -m venv mpich && mpich/bin/pip install mpich, and"
                                + " PATH=$PWD/mpich/bin:$PATH");
    }

    @Override
    List<String> launcherArguments(int ranks) {
        return List.of("-bind-to", "core");
    }

    /** Libfabric's own variables, such as {@code FI_PROVIDER}, choose among its networks. */
    @Override
    Map<String, String> environment() {
        return Map.of("MPIR_CVAR_CH4_NETMOD", "ofi", "MPIR_CVAR_NOLOCAL", "1");
    }

    @Override
    public Contender start(int ranks) {
        Mpich.requireProcessorForEach(ranks);
        return super.start(ranks);
    }
}
