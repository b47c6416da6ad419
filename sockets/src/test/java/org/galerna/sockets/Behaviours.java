package org.galerna.sockets;

import static org.galerna.sockets.SocketPair.awaitAvailable;
import static org.galerna.sockets.SocketPair.blocked;
import static org.galerna.sockets.SocketPair.drain;
import static org.galerna.sockets.SocketPair.outcome;
import static org.galerna.sockets.SocketPair.outcomeOf;
import static org.galerna.sockets.SocketPair.pour;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.sockets.SocketPair.Blocked;

/** What is done with the two ends of a connection, each with what it shows in words, which must be the same for all sockets. */
final class Behaviours {
    private final Map<String, Behaviour> all = new LinkedHashMap<>();

    /** One of them. */
    interface Behaviour {
        String of(SocketPair pair) throws Exception;
    }

    Behaviours() {
        reading();
        writing();
        ending();
        closing();
        threads(false, "platform thread");
        threads(true, "virtual thread");
        options();
    }

    Map<String, Behaviour> all() {
        return all;
    }

    private void reading() {
        all.put("reads what is there", pair -> {
            pair.clientOut().write(new byte[] {1, 2, 3, 4, 5});
            awaitAvailable(pair.serverIn(), 5);
            byte[] target = new byte[8];
            return pair.serverIn().read(target, 1, 7) + Arrays.toString(target);
        });
        all.put("reads single bytes", pair -> {
            pair.clientOut().write(200);
            pair.clientOut().write(0x1ff);
            return pair.serverIn().read() + " " + pair.serverIn().read();
        });
        all.put(
                "reads nothing into nothing",
                pair -> outcome(() -> pair.serverIn().read(new byte[0])));
        all.put(
                "refuses bad ranges",
                pair -> outcome(() -> pair.serverIn().read(new byte[3], 2, 2))
                        + outcome(() -> pair.serverIn().read(new byte[3], -1, 2))
                        + outcomeOf(() -> pair.serverOut().write(new byte[3], 2, 2)));
        all.put("says what is available", pair -> {
            pair.clientOut().write(new byte[300]);
            awaitAvailable(pair.serverIn(), 300);
            pair.serverIn().readNBytes(100);
            return "" + pair.serverIn().available();
        });
        all.put("times out, and reads on", pair -> {
            pair.server().setSoTimeout(50);
            String first = outcome(() -> pair.serverIn().read());
            pair.clientOut().write(5);
            pair.server().setSoTimeout(0);
            return first + pair.serverIn().read();
        });
        all.put("times out while another thread reads", pair -> {
            Blocked other = blocked(false, () -> pair.serverIn().read());
            pair.server().setSoTimeout(50);
            String second = outcome(() -> pair.serverIn().read());
            pair.clientOut().write(6);
            return second + other.outcome();
        });
        all.put("skips and transfers", pair -> {
            pair.clientOut().write(new byte[] {1, 2, 3, 4, 5, 6});
            pair.client().shutdownOutput();
            pair.serverIn().skipNBytes(2);
            ByteArrayOutputStream rest = new ByteArrayOutputStream();
            return pair.serverIn().transferTo(rest) + Arrays.toString(rest.toByteArray());
        });
    }

    private void writing() {
        all.put("carries much both ways at once", pair -> {
            Blocked there = blocked(false, () -> drain(pair.server(), 3));
            Blocked back = blocked(true, () -> drain(pair.client(), 4));
            Blocked sender = blocked(true, () -> {
                pour(pair.client(), 1);
                return "poured";
            });
            pour(pair.server(), 2);
            return sender.outcome() + there.outcome() + back.outcome();
        });
        all.put("sends urgent bytes into the stream of who wants them there", pair -> {
            pair.server().setOOBInline(true);
            pair.serverOut().write(0); // who has read it knows of the option, which takes its time between hosts
            int before = pair.clientIn().read();
            pair.clientOut().write(1);
            pair.client().sendUrgentData(2);
            pair.clientOut().write(3);
            pair.client().shutdownOutput();
            return before + Arrays.toString(pair.serverIn().readAllBytes());
        });
        all.put("loses urgent bytes that nobody wants", pair -> {
            pair.clientOut().write(1);
            pair.client().sendUrgentData(2);
            pair.clientOut().write(3);
            pair.client().shutdownOutput();
            return Arrays.toString(pair.serverIn().readAllBytes());
        });
    }

    private void ending() {
        all.put("ends one direction, and the other one goes on", pair -> {
            pair.clientOut().write(new byte[] {1, 2});
            pair.client().shutdownOutput();
            String read = Arrays.toString(pair.serverIn().readAllBytes())
                    + pair.serverIn().read();
            pair.serverOut().write(9);
            return read
                    + pair.clientIn().read()
                    + pair.client().isOutputShutdown()
                    + pair.server().isInputShutdown();
        });
        all.put("writes after ending", pair -> {
            OutputStream out = pair.clientOut();
            pair.client().shutdownOutput();
            return outcomeOf(() -> out.write(1))
                    + outcome(pair::clientOut)
                    + outcomeOf(() -> pair.client().shutdownOutput());
        });
        all.put("reads after shutting input", pair -> {
            InputStream in = pair.serverIn();
            pair.clientOut().write(new byte[10]);
            awaitAvailable(in, 10);
            pair.server().shutdownInput();
            return in.read() + " " + in.available() + outcome(pair::serverIn)
                    + outcomeOf(() -> pair.server().shutdownInput());
        });
        all.put("writes to who has shut input", pair -> {
            pair.server().shutdownInput();
            pair.clientOut().write(new byte[1000]);
            pair.serverOut().write(4);
            return "" + pair.clientIn().read();
        });
    }

    private void closing() {
        all.put("reads what was sent before closing", pair -> {
            pair.clientOut().write(new byte[] {1, 2, 3});
            pair.client().close();
            return Arrays.toString(pair.serverIn().readAllBytes())
                    + pair.serverIn().read();
        });
        all.put("is reset if bytes are left unread", pair -> {
            pair.clientOut().write(new byte[10]);
            awaitAvailable(pair.serverIn(), 10);
            pair.serverOut().write(1);
            pair.server().close();
            return pair.clientIn().read()
                    + outcome(() -> pair.clientIn().read())
                    + outcome(() -> pair.clientIn().read());
        });
        all.put("is reset by who does not linger", pair -> {
            pair.server().setSoLinger(true, 0);
            pair.server().close();
            return outcome(() -> pair.clientIn().read());
        });
        all.put("lingers", pair -> {
            pair.client().setSoLinger(true, 5);
            pair.clientOut().write(new byte[1000]);
            pair.client().close();
            return "" + pair.serverIn().readAllBytes().length;
        });
        all.put("writes to who has closed", pair -> {
            pair.server().close();
            String last = "none";
            for (int trial = 0; trial < 100 && !last.contains("Exception"); trial++) {
                last = outcomeOf(() -> pair.clientOut().write(new byte[100]));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
            return last;
        });
        all.put("the first write to who has closed is lost in silence", pair -> {
            pair.server().close();
            return pair.clientIn().read() + outcomeOf(() -> pair.clientOut().write(1));
        });
        all.put("uses what is closed", pair -> {
            InputStream in = pair.clientIn();
            OutputStream out = pair.clientOut();
            pair.client().close();
            pair.client().close();
            return outcome(in::read)
                    + outcome(in::available)
                    + outcomeOf(() -> out.write(1))
                    + outcome(pair::clientIn)
                    + outcome(pair::clientOut)
                    + outcome(() -> pair.client().getSoTimeout())
                    + outcomeOf(() -> pair.client().shutdownInput())
                    + pair.client().isClosed()
                    + pair.client().isConnected();
        });
        all.put("reads the end, closes, and reads", pair -> {
            InputStream in = pair.clientIn();
            pair.server().close();
            int end = in.read();
            pair.client().close();
            return end + outcome(in::read);
        });
        all.put("closing a stream closes the socket", pair -> {
            pair.clientIn().close();
            return pair.client().isClosed() + outcome(() -> pair.serverIn().read());
        });
    }

    private void threads(boolean virtual, String kind) {
        all.put("closes while a " + kind + " reads", pair -> {
            Blocked reader = blocked(virtual, () -> pair.serverIn().read());
            pair.server().close();
            return reader.outcome();
        });
        all.put("shuts input while a " + kind + " reads", pair -> {
            Blocked reader = blocked(virtual, () -> pair.serverIn().read());
            pair.server().shutdownInput();
            return reader.outcome();
        });
        all.put("closes while a " + kind + " writes", pair -> {
            OutputStream out = pair.serverOut(); // asked for later, it could be of a closed socket: another message
            Blocked writer = blocked(virtual, () -> {
                while (true) {
                    out.write(new byte[100_000]);
                }
            });
            pair.server().close();
            return writer.outcome();
        });
        all.put("a " + kind + " gets what comes later", pair -> {
            Blocked reader = blocked(virtual, () -> pair.serverIn().readNBytes(3));
            pair.clientOut().write(new byte[] {1, 2});
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            pair.clientOut().write(3);
            return reader.outcome();
        });
        all.put("a " + kind + " finds the end that comes later", pair -> {
            Blocked reader = blocked(virtual, () -> pair.serverIn().read());
            pair.client().close();
            return reader.outcome();
        });
        all.put("a " + kind + " that reads is interrupted", pair -> {
            Blocked reader = blocked(virtual, () -> {
                String read = outcome(() -> pair.serverIn().read());
                return read + Thread.currentThread().isInterrupted();
            });
            reader.thread().interrupt();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            String write = outcomeOf(() -> pair.clientOut().write(3));
            return reader.outcome() + write + pair.server().isClosed();
        });
        all.put("a " + kind + " times out", pair -> {
            pair.server().setSoTimeout(60);
            return blocked(virtual, () -> pair.serverIn().read()).outcome();
        });
    }

    private void options() {
        all.put("has the options that it is given", pair -> {
            pair.client().setTcpNoDelay(false);
            pair.client().setKeepAlive(true);
            pair.client().setSoLinger(true, 7);
            pair.client().setTrafficClass(8);
            pair.client().setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return pair.client().getTcpNoDelay() + " " + pair.client().getKeepAlive() + " "
                    + pair.client().getSoLinger() + " " + pair.client().getTrafficClass() + " "
                    + pair.client().getOption(StandardSocketOptions.SO_LINGER) + " "
                    + pair.client().getReuseAddress() + " " + pair.client().getOOBInline();
        });
        all.put("supports the options that it should", pair -> {
            TreeSet<String> names = new TreeSet<>();
            pair.client().supportedOptions().forEach(option -> names.add(option.name()));
            return names
                    + outcome(() -> pair.client().getOption(StandardSocketOptions.IP_MULTICAST_TTL))
                    + outcomeOf(() -> pair.client().setSoTimeout(-1))
                    + outcomeOf(() -> pair.client().setReceiveBufferSize(0));
        });
        all.put("has the addresses of the two ends", pair -> {
            boolean match =
                    pair.client().getLocalSocketAddress().equals(pair.server().getRemoteSocketAddress())
                            && pair.server()
                                    .getLocalSocketAddress()
                                    .equals(pair.client().getRemoteSocketAddress());
            return match + pair.client().toString().replaceAll("\\d{4,}", "<port>");
        });
    }
}
