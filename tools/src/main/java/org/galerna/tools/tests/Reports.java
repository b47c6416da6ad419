package org.galerna.tools.tests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** What the modules report of their tests, as Maven's plugins write it: a file for each class of tests. */
final class Reports {
    private static final String SKIPPED_BY = "Assumption failed: ";

    private int tests;
    private int bad;
    private int skipped;
    private final List<Failure> failures = new ArrayList<>();
    private final List<Failure> unsteady = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();

    private Reports() {}

    /** Deletes the reports of an earlier run. */
    static void deleteOf(Path root) throws IOException {
        for (Path folder : folders(root)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.toList().reversed()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Reads the reports of all modules. */
    static Reports readOf(Path root) throws IOException {
        Reports reports = new Reports();
        for (Path folder : folders(root)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "TEST-*.xml")) {
                for (Path file : files) {
                    reports.read(file);
                }
            }
        }
        return reports;
    }

    private static List<Path> folders(Path root) throws IOException {
        List<Path> folders = new ArrayList<>();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(root, Files::isDirectory)) {
            for (Path module : modules) {
                for (String plugin : List.of("surefire", "failsafe")) {
                    Path folder = module.resolve("target").resolve(plugin + "-reports");
                    if (Files.isDirectory(folder)) {
                        folders.add(folder);
                    }
                }
            }
        }
        folders.sort(null);
        return folders;
    }

    private void read(Path file) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            try {
                read(xml);
            } finally {
                xml.close();
            }
        } catch (XMLStreamException cutOff) {
            // by the end of the machine that wrote it, of which Maven tells; what is there has been read
            return;
        }
    }

    private void read(XMLStreamReader xml) throws XMLStreamException {
        String test = "";
        while (xml.hasNext()) {
            if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            switch (xml.getLocalName()) {
                case "testsuite" -> {
                    tests += number(xml, "tests");
                    bad += number(xml, "errors") + number(xml, "failures");
                    skipped += number(xml, "skipped");
                }
                case "testcase" -> test = attribute(xml, "classname") + "." + attribute(xml, "name");
                case "failure", "error" -> addFailure(xml, test);
                case "flakyFailure", "flakyError" ->
                    unsteady.add(new Failure(test, attribute(xml, "type"), attribute(xml, "message"), ""));
                case "skipped" -> reasons.add(reason(xml));
                default -> {
                    // of no interest here
                }
            }
        }
    }

    private void addFailure(XMLStreamReader xml, String test) throws XMLStreamException {
        String type = attribute(xml, "type");
        String message = attribute(xml, "message");
        String text = "";
        try {
            text = xml.getElementText();
        } finally {
            failures.add(new Failure(test, type, message, text)); // also of a report that ends here
        }
    }

    private static String reason(XMLStreamReader xml) throws XMLStreamException {
        String message = attribute(xml, "message");
        String reason = message.isEmpty() ? xml.getElementText() : message;
        int found = reason.indexOf(SKIPPED_BY);
        String rest = found < 0 ? reason : reason.substring(found + SKIPPED_BY.length());
        return rest.strip().lines().findFirst().orElse("for no reason that is given");
    }

    private static int number(XMLStreamReader xml, String name) {
        String value = attribute(xml, name);
        return value.isEmpty() ? 0 : Integer.parseInt(value);
    }

    private static String attribute(XMLStreamReader xml, String name) {
        String value = xml.getAttributeValue("", name);
        return value == null ? "" : value;
    }

    /** How many tests have passed. */
    int passed() {
        return tests - bad - skipped;
    }

    /** How many have failed, or could not be run. */
    int failed() {
        return bad;
    }

    int skipped() {
        return skipped;
    }

    List<Failure> failures() {
        return failures;
    }

    /** The tests that passed when they were run once more. */
    List<Failure> unsteady() {
        return unsteady;
    }

    /** Why tests were skipped, once for each of them. */
    List<String> reasons() {
        return reasons;
    }
}
