package org.galerna.device.ucx;

import org.galerna.testkit.device.DeviceContract;

/** The contract of devices, where there is an adapter: {@link UcxAdapterTest} runs it. */
class UcxdevSuite extends DeviceContract implements UcxdevSubject {}
