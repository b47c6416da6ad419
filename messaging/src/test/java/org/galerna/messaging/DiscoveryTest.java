package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that know nobody's address but that of a seed. */
class DiscoveryTest {
    private static final int SEED = 1;

    record Ping(int number) {}

    private static final MessageType<Ping> PING = MessageType.record(1, 0, Ping.class);

    private final List<MessagingNode> nodes = new ArrayList<>();

    @AfterEach
    void closeAll() {
        nodes.forEach(MessagingNode::close);
    }

    private static NodeBuilder builder(int id) {
        return MessagingNode.builder(id)
                .address(id, Cluster.anyPort())
                .key(Cluster.KEY)
                .links("threads")
                .connectTimeout(Cluster.PATIENCE)
                .receive(PING, Handling.CONCURRENT, (ping, from) -> from.respond(ping));
    }

    private MessagingNode start(NodeBuilder builder) {
        MessagingNode node = builder.start();
        nodes.add(node);
        return node;
    }

    private MessagingNode start(int id, MessagingNode seed) {
        return start(builder(id).seed(seed.address()));
    }

    private void end(MessagingNode node) {
        nodes.remove(node);
        node.close();
    }

    private static void ask(MessagingNode from, int to) {
        assertThat(from.request(to, new Ping(to), Ping.class, Cluster.PATIENCE)).isEqualTo(new Ping(to));
    }

    @Test
    void nodesFindEachOtherThroughASeed() {
        MessagingNode seed = start(builder(SEED));
        MessagingNode two = start(2, seed);
        MessagingNode three = start(3, seed);
        ask(two, 3);
        ask(three, 2);
        ask(two, SEED);
        Deadline.after(Cluster.PATIENCE)
                .await("two others that the seed knows", () -> seed.knownNodes().size() == 3);
        ask(seed, 3);
    }

    @Test
    void aNodeIsAskedBeforeItHasStarted() {
        MessagingNode seed = start(builder(SEED));
        MessagingNode two = start(2, seed);
        CompletableFuture<Ping> answer =
                CompletableFuture.supplyAsync(() -> two.request(7, new Ping(7), Ping.class, Cluster.PATIENCE));
        Deadline.after(Cluster.PATIENCE)
                .await("the seed to know who asks", () -> seed.knownNodes().contains(2));
        assertThat(answer).isNotDone();
        MessagingNode late = start(7, seed);
        assertThat(answer.join()).isEqualTo(new Ping(late.id()));
    }

    @Fault(value = 20, on = Fault.Where.TCP)
    @Test
    void aNodeThatStartsAgainElsewhereIsFound() {
        MessagingNode seed = start(builder(SEED));
        MessagingNode two = start(2, seed);
        for (int round = 0; round < 3; round++) {
            MessagingNode three = start(3, seed);
            ask(two, 3);
            end(three);
            Deadline.after(Cluster.PATIENCE)
                    .await("the end of its connection", () -> two.statistics().connections() == 0);
        }
    }

    @Fault(value = 20, on = Fault.Where.TCP)
    @Test
    void aSeedThatStartsAgainLearnsWhatOthersKnow() {
        MessagingNode seed = start(builder(SEED));
        MessagingNode two = start(2, seed);
        ask(two, SEED);
        InetSocketAddress address = seed.address();
        end(seed);
        MessagingNode again = start(builder(SEED).address(SEED, address));
        assertThat(again.knownNodes()).containsExactly(SEED);
        MessagingNode three = start(3, again);
        ask(two, 3); // which makes it look around
        ask(three, 2);
        ask(again, 2);
    }

    /** They have told each other before. */
    @Test
    void nodesThatKnowEachOtherFindOthersWithoutTheSeed() {
        MessagingNode seed = start(builder(SEED));
        MessagingNode two = start(2, seed);
        MessagingNode three = start(3, seed);
        ask(two, 3);
        ask(three, 2);
        end(seed);
        MessagingNode four = start(4, three);
        ask(two, 4);
        ask(four, 2);
    }

    @Fault(value = 7, on = Fault.Where.TCP)
    @Test
    void whoDoesNotKnowTheKeyLearnsNothingAndIsNotLearnt() {
        MessagingNode seed = start(builder(SEED));
        MessagingNode two = start(2, seed);
        ask(two, SEED);
        MessagingNode stranger = start(builder(9)
                .seed(seed.address())
                .key("the key of another cluster")
                .connectTimeout(Duration.ofMillis(500)));
        assertThatThrownBy(() -> ask(stranger, 2))
                .isInstanceOf(MessagingException.class)
                .hasMessageContaining("none of the seeds");
        assertThat(stranger.knownNodes()).containsExactly(9);
        assertThat(seed.knownNodes()).containsExactly(SEED, 2);
        assertThat(seed.statistics().refusedCallers()).isPositive();
    }

    /** On a port that was free a moment ago; a stranger's connection may take it meanwhile, then on another. */
    private MessagingNode startAsItsOwnSeed() {
        MessagingException taken = null;
        for (int attempt = 0; attempt < 5; attempt++) {
            InetSocketAddress address;
            try (MessagingNode before = builder(SEED).start()) {
                address = before.address();
            }
            try {
                return start(builder(SEED).address(SEED, address).seed(address));
            } catch (MessagingException failure) {
                taken = failure;
            }
        }
        throw new AssertionError(taken);
    }

    @Test
    void aNodeMayBeItsOwnSeed() {
        MessagingNode seed = startAsItsOwnSeed();
        MessagingNode two = start(2, seed);
        ask(two, SEED);
        ask(seed, 2);
    }

    @Fault(value = 8, on = Fault.Where.TCP)
    @Test
    void whoListensEverywhereSaysWhereHeIsToBeCalled() {
        InetSocketAddress anywhere = new InetSocketAddress(0);
        MessagingNode seed = start(builder(SEED));
        NodeBuilder vague = builder(2).address(2, anywhere).seed(seed.address());
        assertThatThrownBy(vague::start).hasMessageContaining("advertise");
        assertThatThrownBy(vague.advertise(anywhere)::start).hasMessageContaining("nobody can call");
        MessagingNode two = start(vague.advertise(Cluster.anyPort()));
        MessagingNode three = start(3, seed);
        ask(three, two.id());
    }
}
