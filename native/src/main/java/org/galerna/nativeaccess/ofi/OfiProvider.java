package org.galerna.nativeaccess.ofi;

/**
 * A provider of libfabric on one of this machine's networks, with reliable datagrams and remote memory access.
 *
 * @param name of the provider, such as {@code tcp;ofi_rxm}
 * @param fabric name of the network, as the provider has it
 * @param domain name of the adapter or interface, as the provider has it
 * @param address the own address for people; empty if it is no address of a socket
 */
public record OfiProvider(String name, String fabric, String domain, String address) {
    /** In words, for people. */
    @Override
    public String toString() {
        return name + " on " + domain + (address.isEmpty() ? "" : " at " + address);
    }
}
