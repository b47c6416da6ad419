import org.galerna.device.DeviceDecorator;
import org.galerna.link.process.ClassFileRewriter;
import org.galerna.link.settings.SettingNames;
import org.galerna.profile.ProfileSettingNames;
import org.galerna.profile.calls.CallRewriter;
import org.galerna.profile.record.RecordingDecorator;

/** What ranks do with their time: calls, messages and waits, recorded while a program runs. */
module org.galerna.profile {
    requires static java.instrument;
    requires static org.jspecify;
    requires org.galerna.device;
    requires org.galerna.link;
    requires org.galerna.mpi;

    exports org.galerna.profile;
    exports org.galerna.profile.analysis;
    exports org.galerna.profile.calls;
    exports org.galerna.profile.file;
    exports org.galerna.profile.otf2;

    provides ClassFileRewriter with
            CallRewriter;
    provides DeviceDecorator with
            RecordingDecorator;
    provides SettingNames with
            ProfileSettingNames;
}
