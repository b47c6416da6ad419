package org.galerna.collectives;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.buffer.Copying;
import org.galerna.collectives.selection.Choice;
import org.galerna.collectives.team.Named;
import org.galerna.collectives.team.Team;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/** The collective operations that bring data from rank to rank; see {@link Collectives}. */
public abstract sealed class DataMovement permits Collectives {
    /** Takes the place of a buffer that a rank does not use. */
    static final byte[] UNUSED = new byte[0];

    final Team team;
    final Algorithms algorithms;
    final ArgumentChecks check;

    /** The last uniform blocks, so that calls of one size allocate nothing. */
    private Blocks uniform = Blocks.NONE;

    DataMovement(Team team, CollectiveOptions options) {
        this.team = team;
        this.check = new ArgumentChecks(team);
        team.name(Operation::callOf);
        this.algorithms = Algorithms.of(team, options);
    }

    /** Waits until all members have called it. */
    public void barrier() {
        if (team.size() == 1) {
            return;
        }
        Barrier algorithm = algorithms.barriers.choose(0);
        begin(Operation.BARRIER, algorithm, Collective.NONE, Collective.NONE);
        algorithm.barrier(team);
        team.end();
    }

    /** Sends {@code length} bytes of the root to all; the same length on all members. */
    public void bcast(Object buffer, long offset, long length, int root) {
        check.root(root);
        if (length == 0) {
            pass(Operation.BCAST, root);
            return;
        }
        if (team.size() == 1) {
            return;
        }
        Broadcast algorithm = algorithms.broadcasts.choose(length);
        begin(Operation.BCAST, algorithm, root, length);
        algorithm.broadcast(team, buffer, offset, length, root);
        team.end();
    }

    /**
     * Collects blocks of {@code length} bytes on the root, in the order of the ranks.
     *
     * @param send the block of this rank; null on the root for "in place"
     * @param receive used on the root only, may be null on others
     */
    public void gather(
            @Nullable Object send,
            long sendOffset,
            long length,
            @Nullable Object receive,
            long receiveOffset,
            int root) {
        gather(
                Operation.GATHER,
                algorithms.gathers,
                send,
                sendOffset,
                length,
                receive,
                receiveOffset,
                uniform(length),
                root);
    }

    /**
     * Collects blocks of any lengths on the root.
     *
     * @param send the block of this rank; null on the root for "in place"
     * @param length bytes of the block of this rank; ignored if in place
     * @param receive used on the root only, may be null on others
     * @param blocks where the blocks go in {@code receive}; used on the root only, may be null on others
     */
    public void gatherv(
            @Nullable Object send,
            long sendOffset,
            long length,
            @Nullable Object receive,
            long receiveOffset,
            @Nullable Blocks blocks,
            int root) {
        Blocks known = check.ofRoot(blocks, root);
        gather(
                Operation.GATHERV,
                algorithms.varyingGathers,
                send,
                sendOffset,
                length,
                receive,
                receiveOffset,
                known,
                root);
    }

    private void gather(
            Operation operation,
            Choice<Gather> choice,
            @Nullable Object send,
            long sendOffset,
            long length,
            @Nullable Object receive,
            long receiveOffset,
            Blocks blocks,
            int root) {
        check.root(root);
        int rank = team.rank();
        Object target = UNUSED;
        if (rank == root) {
            target = ArgumentChecks.given(receive, operation, "receive");
            if (send != null) {
                check.ownBlock(operation, length, blocks.length(rank));
                Copying.copy(send, sendOffset, target, receiveOffset + blocks.offset(rank), length);
            }
        }
        if (operation == Operation.GATHER && length == 0) {
            pass(operation, root);
            return;
        }
        if (team.size() == 1) {
            return;
        }
        Object source = rank == root ? UNUSED : ArgumentChecks.given(send, operation, "send");
        Gather algorithm = choice.choose(operation == Operation.GATHER ? length : 0);
        begin(operation, algorithm, root, operation == Operation.GATHER ? length : Collective.NONE);
        algorithm.gather(team, source, sendOffset, length, target, receiveOffset, blocks, root);
        team.end();
    }

    /**
     * Distributes blocks of {@code length} bytes of the root in the order of the ranks.
     *
     * @param send used on the root only, may be null on others
     * @param receive where the block of this rank goes; null on the root for "in place"
     */
    public void scatter(
            @Nullable Object send,
            long sendOffset,
            @Nullable Object receive,
            long receiveOffset,
            long length,
            int root) {
        scatter(
                Operation.SCATTER,
                algorithms.scatters,
                send,
                sendOffset,
                uniform(length),
                receive,
                receiveOffset,
                length,
                root);
    }

    /**
     * Distributes blocks of any lengths of the root.
     *
     * @param send used on the root only, may be null on others
     * @param blocks where the blocks are in {@code send}; used on the root only, may be null on others
     * @param receive where the block of this rank goes; null on the root for "in place"
     * @param length bytes of the block of this rank; ignored if in place
     */
    public void scatterv(
            @Nullable Object send,
            long sendOffset,
            @Nullable Blocks blocks,
            @Nullable Object receive,
            long receiveOffset,
            long length,
            int root) {
        Blocks known = check.ofRoot(blocks, root);
        scatter(
                Operation.SCATTERV,
                algorithms.varyingScatters,
                send,
                sendOffset,
                known,
                receive,
                receiveOffset,
                length,
                root);
    }

    private void scatter(
            Operation operation,
            Choice<Scatter> choice,
            @Nullable Object send,
            long sendOffset,
            Blocks blocks,
            @Nullable Object receive,
            long receiveOffset,
            long length,
            int root) {
        check.root(root);
        int rank = team.rank();
        Object source = UNUSED;
        if (rank == root) {
            source = ArgumentChecks.given(send, operation, "send");
            if (receive != null) {
                check.ownBlock(operation, length, blocks.length(rank));
                Copying.copy(source, sendOffset + blocks.offset(rank), receive, receiveOffset, length);
            }
        }
        if (operation == Operation.SCATTER && length == 0) {
            pass(operation, root);
            return;
        }
        if (team.size() == 1) {
            return;
        }
        Object target = rank == root ? UNUSED : ArgumentChecks.given(receive, operation, "receive");
        Scatter algorithm = choice.choose(operation == Operation.SCATTER ? length : 0);
        begin(operation, algorithm, root, operation == Operation.SCATTER ? length : Collective.NONE);
        algorithm.scatter(team, source, sendOffset, blocks, target, receiveOffset, length, root);
        team.end();
    }

    /** Collects blocks of {@code length} bytes on all members, in the order of the ranks. */
    public void allgather(@Nullable Object send, long sendOffset, long length, Object receive, long receiveOffset) {
        allgather(
                Operation.ALLGATHER,
                algorithms.allgathers,
                send,
                sendOffset,
                length,
                receive,
                receiveOffset,
                uniform(length));
    }

    /**
     * Collects blocks of any lengths on all members.
     *
     * @param length bytes of the block of this rank; ignored if in place
     * @param blocks where the blocks go in {@code receive}; the same lengths on all members
     */
    public void allgatherv(
            @Nullable Object send, long sendOffset, long length, Object receive, long receiveOffset, Blocks blocks) {
        check.blocks(blocks);
        allgather(
                Operation.ALLGATHERV,
                algorithms.varyingAllgathers,
                send,
                sendOffset,
                length,
                receive,
                receiveOffset,
                blocks);
    }

    private void allgather(
            Operation operation,
            Choice<Allgather> choice,
            @Nullable Object send,
            long sendOffset,
            long length,
            Object receive,
            long receiveOffset,
            Blocks blocks) {
        int rank = team.rank();
        if (send != null) {
            check.ownBlock(operation, length, blocks.length(rank));
            Copying.copy(send, sendOffset, receive, receiveOffset + blocks.offset(rank), length);
        }
        long total = blocks.total(team.size());
        if (total == 0) {
            pass(operation, Collective.NONE);
            return;
        }
        if (team.size() == 1) {
            return;
        }
        Allgather algorithm = choice.choose(total);
        begin(operation, algorithm, Collective.NONE, total);
        Object own = send == null ? receive : send;
        long ownOffset = send == null ? receiveOffset + blocks.offset(rank) : sendOffset;
        algorithm.allgather(team, own, ownOffset, receive, receiveOffset, blocks);
        team.end();
    }

    /** Exchanges blocks of {@code length} bytes: block {@code i} goes to rank {@code i}. */
    public void alltoall(@Nullable Object send, long sendOffset, Object receive, long receiveOffset, long length) {
        if (length == 0) {
            pass(Operation.ALLTOALL, Collective.NONE);
            return;
        }
        Blocks blocks = uniform(length);
        alltoall(
                Operation.ALLTOALL,
                algorithms.alltoalls.choose(length),
                send,
                sendOffset,
                blocks,
                receive,
                receiveOffset,
                blocks);
    }

    /**
     * Exchanges blocks of any lengths.
     *
     * @param sendBlocks where the block for each rank is in {@code send}; ignored if in place, may be null then
     * @param receiveBlocks where the block from each rank goes in {@code receive}
     */
    public void alltoallv(
            @Nullable Object send,
            long sendOffset,
            @Nullable Blocks sendBlocks,
            Object receive,
            long receiveOffset,
            Blocks receiveBlocks) {
        Blocks outgoing = send == null || sendBlocks == null ? receiveBlocks : sendBlocks;
        check.blocks(outgoing);
        check.blocks(receiveBlocks);
        alltoall(
                Operation.ALLTOALLV,
                algorithms.varyingAlltoalls.choose(0),
                send,
                sendOffset,
                outgoing,
                receive,
                receiveOffset,
                receiveBlocks);
    }

    private void alltoall(
            Operation operation,
            Alltoall algorithm,
            @Nullable Object send,
            long sendOffset,
            Blocks sendBlocks,
            Object receive,
            long receiveOffset,
            Blocks receiveBlocks) {
        int rank = team.rank();
        begin(
                operation,
                algorithm,
                Collective.NONE,
                operation == Operation.ALLTOALL ? receiveBlocks.length(rank) : Collective.NONE);
        if (send == null) {
            if (team.size() > 1) {
                alltoallInPlace(algorithm, receive, receiveOffset, receiveBlocks);
            }
        } else {
            check.ownBlock(operation, sendBlocks.length(rank), receiveBlocks.length(rank));
            Copying.copy(
                    send,
                    sendOffset + sendBlocks.offset(rank),
                    receive,
                    receiveOffset + receiveBlocks.offset(rank),
                    receiveBlocks.length(rank));
            if (team.size() > 1) {
                algorithm.alltoall(team, send, sendOffset, sendBlocks, receive, receiveOffset, receiveBlocks);
            }
        }
        team.end();
    }

    /** Sends from a copy of the blocks; the blocks are as long in both directions. */
    private void alltoallInPlace(Alltoall algorithm, Object receive, long receiveOffset, Blocks blocks) {
        int size = team.size();
        long[] lengths = new long[size];
        long[] displacements = new long[size];
        long end = 0;
        for (int member = 0; member < size; member++) {
            displacements[member] = end;
            lengths[member] = blocks.length(member);
            end += lengths[member];
        }
        Object copy = team.scratch(end);
        for (int member = 0; member < size; member++) {
            Copying.copy(receive, receiveOffset + blocks.offset(member), copy, displacements[member], lengths[member]);
        }
        Blocks copied = blocks.isUniform() ? blocks : Blocks.of(lengths, displacements);
        algorithm.alltoall(team, copy, 0, copied, receive, receiveOffset, blocks);
    }

    /**
     * Begins an operation.
     *
     * @param root its root, or {@link Collective#NONE}
     * @param bytes its size if all members must agree about it, or {@link Collective#NONE}
     */
    final void begin(Operation operation, Algorithm algorithm, int root, long bytes) {
        team.begin(operation.call(), algorithm, operation.number(), root, bytes);
    }

    /** A call that moves nothing counts all the same: other members may have called something else in its place. */
    final void pass(Operation operation, int root) {
        if (team.size() > 1) {
            team.begin(operation.call(), Named.NOTHING, operation.number(), root, 0);
            team.end();
        }
    }

    private Blocks uniform(long length) {
        if (!uniform.isUniform(length)) {
            uniform = Blocks.uniform(length);
        }
        return uniform;
    }
}
