package org.galerna.link.handshake;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What makes messages between two sides unreadable for others, and shows that they were not changed, left out, repeated or
 * turned back: AES-256-GCM, whose nonce is the direction (4 bytes, 0 for what the one that has called sends, 1 for the
 * other) and the number of the message in it from 0 (8 bytes). One thread at a
 * time seals, and one opens.
 */
public final class AeadSession {
    /** Bytes that a sealed message has more than the message. */
    public static final int TAG_BYTES = 16;

    private final SecretKeySpec key;
    private final int outgoing;
    private long sent;
    private long received;

    /**
     * One side's.
     *
     * @param key 32 bytes, which no other conversation has
     * @param caller whether this is the side that has called
     */
    public AeadSession(byte[] key, boolean caller) {
        this.key = new SecretKeySpec(key, "AES");
        this.outgoing = caller ? 0 : 1;
    }

    /** The next message to the other side, sealed. */
    public byte[] seal(byte[] message) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, outgoing, sent++).doFinal(message);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * The next message of the other side.
     *
     * @throws ProtocolException if it is not what the other side has sealed
     */
    public byte[] open(byte[] sealed) throws ProtocolException {
        try {
            return cipher(Cipher.DECRYPT_MODE, 1 - outgoing, received++).doFinal(sealed);
        } catch (AEADBadTagException forged) {
            throw new ProtocolException("a message was changed on its way");
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Cipher cipher(int mode, int direction, long number) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] once = ByteBuffer.allocate(12).putInt(direction).putLong(number).array();
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, once));
        return cipher;
    }
}
