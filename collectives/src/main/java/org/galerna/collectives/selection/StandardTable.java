package org.galerna.collectives.selection;

/**
 * The table that comes with the library, in the form of {@link DecisionTable#read}. It is no file, since a rank that reads one opens the archive of
 * the library for it.
 *
 * <p>Which algorithm serves which collective. The first line counts whose bounds hold and whose algorithm can do it.
 * "flags", "slots" and "direct" are for ranks on one heap, measured with 2 to 64 ranks on 2 cores. "twoLevel" is for ranks
 * on several hosts, some of them beside each other; bcast and allreduce also for processes of several ranks on one host.
 * "32/host" stands for several hosts of at least 32 ranks each; docs/model.md says what these lines rest on.
 * Lines for smdev and shmdev, the latter also for hybdev on one host, are those of "galerna tune" on 2 cores that four runs
 * agreed on. The others are seeded from the thresholds that Open MPI's tuned component uses, rounded to fewer lines; a tuning
 * run replaces them.
 */
final class StandardTable {
    static final String LINES = """
            # operation     device  ranks   bytes   algorithm
            barrier         *       *       *       flags
            barrier         *       *       *       twoLevel
            barrier         *       *       *       dissemination

            bcast           *       *       <8K     slots
            bcast           *       *       *       direct
            bcast           *       *       *       twoLevel
            bcast           shmdev  <8      <32     binomial
            bcast           shmdev  <8      <1M     linear
            bcast           shmdev  <8      *       binomial
            bcast           *       <3      *       linear
            bcast           *       <4      <32K    binomial
            bcast           *       <4      *       linear
            bcast           *       <8      <8K     binomial
            bcast           *       <8      <1M     linear
            bcast           *       <8      *       chain
            bcast           *       <32     <1M     binomial
            bcast           *       *       <1M     binomial
            bcast           *       *       *       scatterAllgather

            gather          *       *       <8K     slots
            gather          *       *       *       direct
            gather          shmdev  <8      *       linear
            gather          *       <8      <1K     binomial
            gather          *       <8      *       linear
            gather          *       *       <32K    binomial
            gather          *       *       *       linear
            gatherv         *       *       *       direct
            gatherv         *       *       *       linear

            scatter         smdev   <8      <32     slots
            scatter         smdev   <8      <2K     linear
            scatter         *       *       <8K     slots
            scatter         smdev   <8      <16K    linear
            scatter         *       *       *       direct
            scatter         shmdev  <8      *       linear
            scatter         *       <8      <2K     binomial
            scatter         *       <8      *       linear
            scatter         *       *       <16K    binomial
            scatter         *       *       *       linear
            scatterv        *       *       *       direct
            scatterv        *       *       *       linear

            # bytes are those of all ranks together
            allgather       *       *       <8K     slots
            allgather       *       *       *       direct
            allgather       *       *       <1M     twoLevel
            allgather       shmdev  <8      <16K    recursiveDoubling
            allgather       shmdev  <8      <128K   ring
            allgather       *       <32     <1M     recursiveDoubling
            allgather       *       *       <64K    recursiveDoubling
            allgather       *       *       <64K    bruck
            allgather       *       *       *       ring
            allgatherv      *       *       <8K     slots
            allgatherv      *       *       *       direct
            allgatherv      *       *       <1M     twoLevel
            allgatherv      shmdev  <3      *       neighborExchange
            allgatherv      *       *       <16K    bruck
            allgatherv      *       *       *       ring

            # bytes are those of one block
            alltoall        smdev   <3      <2K     slots
            alltoall        smdev   <3      *       direct
            alltoall        *       *       <8K     slots
            alltoall        *       *       *       direct
            alltoall        shmdev  <3      *       pairwise
            alltoall        *       <8      *       linear
            alltoall        *       <16     <256K   linear
            alltoall        *       *       <512    bruck
            alltoall        *       *       <256K   linear
            alltoall        *       *       *       pairwise
            alltoallv       *       *       *       direct
            alltoallv       *       <4      *       pairwise
            alltoallv       *       *       *       linear

            reduce          smdev   <8      <128    slots
            reduce          smdev   <8      <2K     binomial
            reduce          smdev   <8      <2K     ordered
            reduce          *       <32     <8K     slots
            reduce          *       *       <512    slots
            reduce          *       *       *       direct
            reduce          *       *       *       twoLevel
            reduce          shmdev  <8      *       binomial
            reduce          shmdev  <8      *       ordered
            reduce          *       *       <256K   binomial
            reduce          *       *       <256K   ordered
            reduce          *       *       *       rabenseifner

            allreduce       smdev   <3      <8K     slots
            allreduce       smdev   <8      <128    slots
            allreduce       smdev   <8      *       direct
            allreduce       *       *       *       direct
            allreduce       *       *       *       twoLevel
            allreduce       shmdev  <4      <64K    recursiveDoubling
            allreduce       shmdev  <8      <16K    recursiveDoubling
            allreduce       shmdev  <8      *       ring
            allreduce       *       <4      <64K    recursiveDoubling
            allreduce       *       <4      <256K   ring
            allreduce       *       <64     <8K     recursiveDoubling
            allreduce       *       *       <32K    recursiveDoubling
            allreduce       *       *       *       rabenseifner

            reduceScatter   *       <8      <8K     slots
            reduceScatter   *       *       *       direct
            reduceScatter   shmdev  <4      *       pairwise
            reduceScatter   shmdev  <8      <8K     recursiveHalving
            reduceScatter   shmdev  <8      <64K    pairwise
            reduceScatter   *       <4      *       pairwise
            reduceScatter   *       *       <256K   recursiveHalving
            reduceScatter   *       *       *       pairwise
            reduceScatter   *       *       *       ordered

            scan            smdev   <8      <128    slots
            scan            smdev   <8      <8K     linear
            scan            *       <16     <1K     slots
            scan            *       <64     <256    slots
            scan            *       *       *       direct
            scan            shmdev  <8      *       linear
            scan            *       <4      *       linear
            scan            *       <128    *       recursiveDoubling
            scan            *       32/host *       twoLevel
            scan            *       *       *       recursiveDoubling
            exscan          smdev   <8      <128    slots
            exscan          smdev   <8      <8K     linear
            exscan          *       <16     <1K     slots
            exscan          *       <64     <256    slots
            exscan          *       *       *       direct
            exscan          shmdev  <8      *       linear
            exscan          *       <4      *       linear
            exscan          *       <128    *       recursiveDoubling
            exscan          *       32/host *       twoLevel
            exscan          *       *       *       recursiveDoubling
            """;

    private StandardTable() {}
}
