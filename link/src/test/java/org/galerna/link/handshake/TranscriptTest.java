package org.galerna.link.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TranscriptTest {
    private final byte[] hello = Authenticator.random();
    private final byte[] answer = Authenticator.random();
    private Transcript caller = transcript("key", hello);
    private Transcript called = transcript("key", hello);

    @BeforeEach
    void bothHaveHeardTheOpening() {
        caller = transcript("key", hello);
        called = transcript("key", hello);
    }

    private static Transcript transcript(String key, byte[]... openings) {
        return new Transcript(new Authenticator("test", key.getBytes(StandardCharsets.US_ASCII)), openings);
    }

    @Test
    void bothSidesProveTheKeyInEveryStep() {
        byte[] proof = called.say("called", answer);
        assertThat(caller.hears("called", proof, answer)).isTrue();
        assertThat(called.hears("caller", caller.say("caller"))).isTrue();
        byte[] verdict = {7};
        assertThat(caller.hears("verdict", called.say("verdict", verdict), verdict))
                .isTrue();
    }

    @Test
    void bothHaveAKeyThatChangesWithWhatIsSaid() {
        byte[] first = called.key();
        assertThat(caller.key()).isEqualTo(first);
        byte[] proof = called.say("called", answer);
        assertThat(caller.hears("called", proof, answer)).isTrue();
        assertThat(caller.key()).isEqualTo(called.key()).isNotEqualTo(first);
        assertThat(transcript("key", Authenticator.random()).key()).isNotEqualTo(first);
    }

    @Test
    void aProofHoldsInItsRoleAlone() {
        assertThat(caller.hears("caller", called.say("called", answer), answer)).isFalse();
    }

    @Test
    void aProofHoldsForItsMessageAlone() {
        byte[] proof = called.say("called", answer);
        byte[] changed = answer.clone();
        changed[31] ^= 1;
        assertThat(caller.hears("called", proof, changed)).isFalse();
    }

    @Test
    void aProofHoldsAtItsPlaceAlone() {
        byte[] first = called.say("called", answer);
        assertThat(called.say("called", answer)).isNotEqualTo(first);
    }

    @Test
    void aProofHoldsAfterItsOpeningAlone() {
        byte[] proof = called.say("called", answer);
        assertThat(transcript("key", Authenticator.random()).hears("called", proof, answer))
                .isFalse();
    }

    @Test
    void aProofNeedsTheKey() {
        byte[] proof = transcript("another", hello).say("called", answer);
        assertThat(caller.hears("called", proof, answer)).isFalse();
    }

    @Test
    void aProofHoldsOnTheConnectionThatItIsBoundTo() {
        called.bindTo(new byte[] {1});
        caller.bindTo(new byte[] {2});
        assertThat(caller.hears("called", called.say("called", answer), answer)).isFalse();
        called.bindTo(new byte[] {2});
        assertThat(called.key()).isEqualTo(caller.key());
    }
}
