package org.galerna.link.verbs.adapter;

import java.util.function.Consumer;
import org.galerna.link.support.DescriptorWaiter;
import org.galerna.nativeaccess.verbs.VerbsException;

/**
 * The completion channel as threads sleep at it.
 *
 * @param onBroken told if the adapter does not work any more
 */
public record CompletionSource(Attachment attachment, Consumer<String> onBroken) implements DescriptorWaiter.Source {
    @Override
    public int descriptor() {
        return attachment.channel().descriptor();
    }

    @Override
    public void prepare() {
        try {
            attachment.completions().requestNotification();
        } catch (VerbsException broken) {
            onBroken.accept(String.valueOf(broken.getMessage()));
        }
    }

    @Override
    public void woken() {
        attachment.channel().takeAll();
    }
}
