package org.galerna.link.ucx;

import org.galerna.nativeaccess.memory.RegisteredMemory;
import org.galerna.nativeaccess.ucx.UcxException;
import org.galerna.nativeaccess.ucx.UcxMemory;

/** Memory that is registered with UCX, from any thread. */
record SharedMemory(Worker worker, UcxMemory memory) implements RegisteredMemory {
    static SharedMemory register(Worker worker, long address, long length) throws UcxException {
        worker.lock.lock();
        try {
            return new SharedMemory(worker, UcxMemory.register(worker.ucx, address, length));
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public long address() {
        return memory.address();
    }

    @Override
    public long length() {
        return memory.length();
    }

    byte[] key() {
        return memory.key();
    }

    @Override
    public void close() {
        worker.lock.lock();
        try {
            if (!worker.isClosed()) {
                memory.close();
            }
        } finally {
            worker.lock.unlock();
        }
    }
}
