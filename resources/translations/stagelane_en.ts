<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message>
        <source>Stagelane</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>OK</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>unknown device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>CPU worker</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>partition %1 of %2 of a GPU</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>imagined device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (at %1)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>a number above %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>a number of at least %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>a number above %1 and below %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>a number above %1, up to %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>a number from %1 to below %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>a whole number of at least %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter one to four dimensions, such as 3×128×128</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>"%1" is not a dimension. Enter a shape such as 3×128×128</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter a number and its unit, such as 8 GiB or 500 MB</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Impossible</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Does not fit</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Changed since it was measured: %1 a step then</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 a step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Not run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Not measured yet</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Was not included in the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Canceled</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Being measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is over budget: needs %2, has %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show the window</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Action failed (%1). Save your work, and please report it.</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::app::DocumentActions</name>
    <message>
        <source>New experiment…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Choose a model, its input, the batch and the devices; predicted at once</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export code…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The plan of this variant as a PyTorch script or a device map</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Examples</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save the changes of %1?</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>They are lost if you close without saving.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>They are lost if you go on without saving.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close without saving</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Go on without saving</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stay</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open an experiment or a trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Experiments and traces (%1);;All files (*)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Wrote %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A run is under way: its results stay until it has ended</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Duplicate the experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Changed by another program</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save over what another program wrote?</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 was changed since it was read here. Saving loses those changes.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save over it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Saved %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save the experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Experiments (*.json)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>At %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::app::FileWatch</name>
    <message>
        <source>Load what another program saved</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::app::MainWindow</name>
    <message>
        <source>Undo</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run the included variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run this variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep over values…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Light or dark as the desktop is</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Search actions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Example</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A sweep is going</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A run is going</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close the window and pause the sweep?</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close the window and cancel the run?</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What was measured is kept, and the rest can be measured later: Runs, Go on.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What was measured is kept, and the rest can be measured later: Runs, Resume.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close and pause the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close and cancel the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stay</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Charts</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::app::RunController</name>
    <message>
        <source>Stopped reading the run; its experiment stays open</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The run could not start</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::app::RunTraces</name>
    <message>
        <source>A measured step cannot be shown: %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::app::SweepController</name>
    <message>
        <source>A run is under way: wait for it or cancel it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The sweep could not start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The sweep was not canceled. %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The sweep was interrupted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The sweep is paused</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The sweep was canceled</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The sweep is through</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::app::TraceOpener</name>
    <message>
        <source>Stopped reading %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::BlockTree</name>
    <message>
        <source>Show the blocks whose names contain this</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Filter blocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Selection</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Blocks and layers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Nothing selected</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ChipMenu</name>
    <message>
        <source>Chip</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Unlock</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Lock to its device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cut before %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open or close the group</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Settings of %1…</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::CodeDialog</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export code</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export code: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Form of the code</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What the form is for</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The code</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copy the code</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save the code</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Put the code on the clipboard</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Write the code to a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A script to run with PyTorch alone, or a map for other libraries</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close without writing a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Where the blocks go is being worked out…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Writing…</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::CommandPalette</name>
    <message>
        <source>Search actions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Actions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Actions found</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Some letters of what you want to do</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The first letters of words do: "dv" finds Duplicate the variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Nothing of that name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>action</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>actions</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::CostStatus</name>
    <message>
        <source>Cancel the calibration</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Progress of the calibration</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Calibrate</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Impossible</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Impossible: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Updating: searching…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Updating</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>An order for the schedule auto is being searched for; until then the last numbers stay, dimmed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The plan is being predicted again; until then the last numbers stay, dimmed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Does not fit: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Does not fit</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1. Move blocks to another device, or take a smaller split size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Recalibrate</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Needs stagelane-engine, which was not found</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A run is going; measuring beside it would say little</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The experiment cannot be read</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measures what each block takes on this machine's devices, about %1; leave the machine alone meanwhile</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Canceling</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Calibrating %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, %1 left</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::CutStrip</name>
    <message>
        <source>Step time by cut</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::DeviceBar</name>
    <message>
        <source>Add device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Devices to add</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A GPU of this machine or parts of it, a CPU worker, or an imagined device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add a device…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add a CPU worker</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add an imagined device…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Settings of this device…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Remove this device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add %1, %2, %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add a CPU worker, %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Set up %1…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Settings of %1…</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::DeviceDialog</name>
    <message>
        <source>Device %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>An imagined device predicts what a plan would take on hardware that is not there. It does not run.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A plan that needs more than this is marked, and a run keeps to it.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Like</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The real device whose costs are scaled: cpu:0, cuda:0</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Times as fast</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How many times as fast as that device: 2 is twice as fast</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>&amp;Like</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>&amp;Speed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Memory that a plan may use</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, or 8 GiB</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What is wrong</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A plan that needs more on this device does not fit: 8 GiB, 500 MB</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>One step of Undo takes it back</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Leave the device as it is</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>OK</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Write the speed as %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Write the memory with its unit, as 8 GiB or 500 MB; or unlimited</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::DocumentFields</name>
    <message>
        <source>%1 none</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Write a name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> on</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> off</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ExperimentForm</name>
    <message>
        <source>Model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What the experiment is called in the window, in runs and in reports</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What is trained. Placements stay where the new model has their blocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Input</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The sizes of one sample, without the batch: 3×128×128 for an image, 128 for a text of so many tokens</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Data type</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Of parameters and activations; float64 is for proofs, at half speed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>float32</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>float64</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What the operators compute in: as the data type says, TF32 products on GPUs, or bfloat16 by autocast</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>full</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>TF32</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>bfloat16</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sizes and files…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sizes of the model, or a model file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Layers, width, classes of the model, or a model from a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Data and loss</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Samples of one training step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Batches</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Training steps of one repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Labels</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>One-hot rows, numbers of classes, or random values</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>one hot</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>class</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>normal</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Mean squared error, or cross entropy of classes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>mse</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>cross entropy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Of the parameters; data come from the next one</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Train, or forward only without gradients</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>train</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>infer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Adam and AdamW keep two more tensors a parameter; SGD one with momentum, none without</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>SGD</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Adam</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>AdamW</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How far a step goes along the gradient</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Momentum</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How much of the last step is kept</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Betas</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Weight decay</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How much of a weight is taken off in each step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Epsilon</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keeps a division by a gradient of zero finite</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Clip gradients</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Largest 2-norm of all gradients together; empty: they are not clipped</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measuring</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Warm-up</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Warm-up repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Repeats before the timed ones; the tutorial's timing has none</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Timing</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Steady: devices are waited for around each repeat. Tutorial: as the PyTorch tutorial times</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>steady</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>tutorial</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>CPU threads</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Threads a CPU worker</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Threads that each CPU worker owns</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What a run records: actions of stages, operators below them, or kernels of GPUs as well</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>actions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>operators</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>kernels</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Batch norm</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Running statistics are updated once a micro-batch, or deferred: once a batch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>deferred</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Check gradients</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Compares the gradients of each plan with those of one worker</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ExperimentStrip</name>
    <message>
        <source>Experiment settings</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change the model…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Another model, its sizes, or one from a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model, data, loss, optimizer and repeats; they hold for all variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How often each variant is measured, for all variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>holds for all variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>block</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>blocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Input</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>synthetic, %1 of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>batch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>batches</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>mse</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>cross entropy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>+ %1 warm-up</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::HistoryBanners</name>
    <message>
        <source>That could not be done</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The history cannot be read again</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Rebuild the index</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The runs are read from their folders each time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 moved to the trash</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Brings them back from the trash, as Ctrl+Z does while this is offered</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::IntegerBox</name>
    <message>
        <source>Write %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::LanesView</name>
    <message>
        <source>Device lanes</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::LoadingPanel</name>
    <message>
        <source>What is being done</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Share that is done</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>End it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Ends it; what is on the disk stays as it is</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ModelDialog</name>
    <message>
        <source>Change the model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Holds for all variants. A placement stays where the new model has its blocks; any other becomes optimal.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>In all variants; one step of Undo takes it back</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Leave the model as it is</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Write the sizes of one sample, without the batch: 3×128×128</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ModelForm</name>
    <message>
        <source>Write %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What is trained: a model that Stagelane knows, or a file with layers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A model file…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>About the model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Input</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The sizes of one sample, without the batch: channels × height × width of an image, the tokens of a text, the numbers of a row</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>3×128×128</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>&amp;Model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sizes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>&amp;Input</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A JSON file with "layers", as docs/reference/models.md describes it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Choose a model file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Models (*.json);;All files (*)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The layers in the experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The share of values that are dropped while training</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of the model; %2 unless changed</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ModelInspector</name>
    <message>
        <source>Layers of the model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Search layers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Search by name or type</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Rows: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Layers table, rows: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Totals of the model</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::NewExperimentDialog</name>
    <message>
        <source>New experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What the experiment is called in the window, in runs and in reports</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Batch size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Samples of one training step; a pipeline cuts them into micro-batches</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>GPUs where the machine has so many, else CPU workers. The Plan page adds others, imagined ones too</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What will be made</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>&amp;Batch size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>&amp;Devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Create</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Create the experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Opens it with three variants: one device, model parallel, pipeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stay with the experiment that is open</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::NotedField</name>
    <message>
        <source>What is wrong with: %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::PlanExport</name>
    <message>
        <source>Export the predicted timeline…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The predicted step as PNG, SVG or PDF, its events as CSV</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export "Step time by cut"…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The predicted step for every cut, as PNG, SVG, PDF or CSV</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export "Step time by split size"…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The predicted step for every split size, as PNG, SVG, PDF or CSV</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Wrote %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted timeline of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step time by cut: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>block before which the chain is cut</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step time by split size: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>split size (samples in a micro-batch, log scale)</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::PlanInspector</name>
    <message>
        <source>Gradients</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Suggestions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What keeps the plan from running</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted step time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How long one step over the batch takes: forward, backward and update on all devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How the numbers are known</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step time of the plan as it is</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measured step time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Restore that plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Restore the plan that was measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Speed-up</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted speed-up</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How many times as fast as the best single device that was predicted, of as many as there are devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No order of this plan's work can be faster: its first and last micro-batch have to pass all stages one after the other, and each device has to do its share</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measured speed-up</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Of the medians of the last run: how many times as fast as its base</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What fills the memory</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What the error bars come from</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measured idle share of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted peak memory of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measured peak memory of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>preview of this drop</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Impossible</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Updating</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The numbers are of the last plan that was possible</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Plan now: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>bound %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Base: %1, %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>unused</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>   was %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>
Error bar: %1. %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Error bars: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>measured %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (the plan that was measured)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>bit-equal to one worker</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>bit-equal to plain autograd</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>max rel. error %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Compared with %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::PlanLanes</name>
    <message>
        <source>Device lanes</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::PlanPage</name>
    <message>
        <source>Inspector</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Blocks, lanes and inspector</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Lanes, and what is below them</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export what is predicted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The predicted step, and its curves over cuts and split sizes, as files (Ctrl+E)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export what is predicted…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Move to the lane above</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Move to the lane below</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Select the chip before</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Select the next chip</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Extend to the chip before</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Extend to the next chip</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cut here</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Lock or unlock</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open or close the group</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Rename the variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Duplicate the variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant before</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Include the variant in Run, or leave it out</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Delete the variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Experiment settings</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Filter blocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Chip width: time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Chip width: memory</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Chip width: parameters</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Plan problems are listed above the lanes; see the log for more</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Restore the plan that was measured</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::PlanToolbar</name>
    <message>
        <source>Schedule</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Shown</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Strategy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>One device; all devices, one at a time; or a pipeline of micro-batches</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Shown member of the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Micro-batches of a step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Strategy…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Schedule…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split size…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Shown member of the sweep…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Chip width</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Chip width: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A chip is as wide as its block's share of this: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Not available for this plan: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>does not suit the plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>micro-batch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>micro-batches</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 (Esc: back to what the plan has)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Samples in a micro-batch; several make a sweep: 4, 8, 16</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>not applied</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Strategy %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Schedule %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split size %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::PredictedStrip</name>
    <message>
        <source>Predicted timeline</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ProblemBar</name>
    <message>
        <source>Mend the plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What breaks the plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change the plan so that it can run; Ctrl+Z takes it back</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Mend the plan: %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RepeatsStrip</name>
    <message>
        <source>Single repeats of the compared runs</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ReportContentsForm</name>
    <message>
        <source>Title</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Title of the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Question</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Question that the report answers, shown below the title</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Contents</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Summary</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Charts</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Prediction against measurement</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Timelines</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Why devices waited</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Gradient check</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Machine and build</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Definitions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Single repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report contains: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Include in the report: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Your note</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Text below the summary</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Below the summary</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ReportExportForm</name>
    <message>
        <source>Export</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Write the report to the file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Write the report to the file above (Ctrl+E)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Format of the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>HTML is a single file. Markdown has its pictures in a folder next to it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Colors of the HTML page</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Colors of the HTML page on a screen: as the reader's system, or always light or dark. On paper, in PDF, and in Markdown a report is light</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>File to write</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Choose the file to write</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Choose the file of the report…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Progress of the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop writing the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop; no file is written</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Write the report to</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ReportPage</name>
    <message>
        <source>Open in browser</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next page of the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Previous page of the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add a run to the report…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report: fit the pages to the width</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report: pages at 100 %</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report: only the last run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What the report contains</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot read the run's folder: %1</source>
        <translation type="unfinished" />
    </message>
    <message numerus="yes">
        <source>%1 and %n other run(s)</source>
        <translation>
            <numerusform>%1 and %n other run</numerusform>
            <numerusform>%1 and %n other runs</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 folders hold no readable run</source>
        <translation type="unfinished" />
    </message>
    <message numerus="yes">
        <source>%n run(s) compared</source>
        <translation>
            <numerusform>%n run compared</numerusform>
            <numerusform>%n runs compared</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stagelane::ui::ReportScroll</name>
    <message>
        <source>Pages of the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Previous page of the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next page of the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Fit width</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Scale the pages to the available width</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show the pages in their printed size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunBar</name>
    <message>
        <source>Experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The variant that Plan, Timeline and Charts show</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Undo: %1 (Ctrl+Z)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Redo: %1 (Ctrl+Shift+Z)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Search actions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Search actions (Ctrl+Shift+P)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Progress of the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>More ways to run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The tab that is shown alone, or a sweep over values</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Not saved to a file yet</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>the engine was not found</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>calibrating: a run would disturb it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run %1 included%2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run %1 of %2 included%3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run this one (it %1)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run this one%1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run the included variants (F5)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run the included variants (F5). %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run is off: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Pause the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Ends the repeat under way; the sweep can go on where it was (Ctrl+.)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>End the run at its next action; what was measured is kept (Ctrl+.)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Canceling: the engine ends the step it is in</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Starting the engine</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 left</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Search actions   Ctrl+Shift+P</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunHistory</name>
    <message>
        <source>Rebuilding the index</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Reading the run folders</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copying the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The import was stopped: nothing was copied</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is under way: cancel it first</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>This cannot be moved to the desktop's trash: %1. Open its folder and remove it there</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>This is no longer in the trash, or its place is taken: %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunTableModel</name>
    <message>
        <source>Tick two or more runs to compare them (Space)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Favourite (F)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Mean ± standard deviation of a repeat, all its batches; %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step of the best variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1. What is shown was known before</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>favourite</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>no favourite</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunsActions</name>
    <message>
        <source>Search the runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open in Timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open in Charts</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open in Report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run again</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Resume: measure what is missing</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measure what is missing, in the same run folder (R)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Duplicate as new experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show its sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Favourite on or off</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Edit the tags</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Edit the note</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report of the ticked runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Untick all runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Move to the trash</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Bring back from the trash</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Import run…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Rebuild the index of runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Train the same again, in a new run folder</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The curve and the points of the sweep that this run is a part of</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>This run is not a part of a sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Tick two or more runs, or select them, to compare them</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunsCompare</name>
    <message>
        <source>Single repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Median steps, from the same start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Comparison of runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close the comparison</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant that is compared</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What the comparison says</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Comparison</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>best of each</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The compared runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What changed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No setting differs.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>change</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>same</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Recorded step: what got slower, and where</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The step in the middle of a run; of an even number of repeats the faster of the two there, whose time is not the median.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>By device and cause</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>By kind of action</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Actions that changed most</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunsDetails</name>
    <message>
        <source>Facts of the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Tags of the run, separated by commas</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>tags, separated by commas</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Words to find the run by: tag:WORD in the search above</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Note on the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A note on this run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variants of the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Failed at</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Machine</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Timing</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Build</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Recording</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunsNothingFound</name>
    <message>
        <source>Show all runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Empties the search and shows runs of every state</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunsPage</name>
    <message>
        <source>Imported %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No runs yet: what is run here or with `stagelane run` is listed on this page.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Reading the runs…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Rebuild the index</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run the experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Import a run folder…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No run is like that.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Tick the runs that the report is about</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No file manager took %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Import a run folder</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show all runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What can be done</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The next step from here</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunsPanels</name>
    <message>
        <source>Runs and comparison</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Runs and details</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunsTable</name>
    <message>
        <source>Runs</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunsToolbar</name>
    <message>
        <source>Search the runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>experiment, device, variant, note, tag:… since:2026-11-19</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Words that must all occur; also tag:T, status:failed, model:M, device:D, since:DAY, until:DAY, is:favourite, is:noisy, and a minus before what must not be (Ctrl+F)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>More actions on runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>More that can be done with the chosen runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show runs: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show only these runs: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 ticked</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunsWorkBar</name>
    <message>
        <source>Stop</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Work on the history</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How far it is</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop reading</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1: %2 of %3%4</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SearchTokens</name>
    <message>
        <source>Narrower words of the search</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Take %1 out of the search</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Take this out of the search</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::Shell</name>
    <message>
        <source>Pages</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Status bar</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SplitCurve</name>
    <message>
        <source>Predicted step time by split size</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::StepsStrip</name>
    <message>
        <source>Median steps of the compared runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>idle</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SuggestionPanel</name>
    <message>
        <source>State of the suggestions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Apply the suggested plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Apply the suggested split size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Apply the suggested schedule</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Apply the suggested placement</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Why: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>After the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>After the calibration</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Looking for better plans…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>None for this plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change the plan to this; Ctrl+Z takes it back</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>fits</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split size %1: the best of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Schedule is the best</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No better plan found</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SweepCurve</name>
    <message>
        <source>Predicted and measured points of the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Click to open the median step of %1 in the Timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 · Enter opens it in the Timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep: ← and → walk its points, Enter opens one</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SweepDialog</name>
    <message>
        <source>End points that cannot become the fastest</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Start the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep over values</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Those predicted from measured costs to be a quarter slower, and those whose first three repeats all are slower than the fastest</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The pipeline whose values are varied; the others are not run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Pipeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split sizes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>4, 8, 16</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Samples in a micro-batch: 1 up to the batch size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Schedules</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>gpipe, 1f1b, zb-h1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The order of the actions. There are %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Placements</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>optimal, balanced</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Where the model is cut: optimal, auto, balanced, sequential, or same as: another variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>never, except_last, always</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Whether forward passes are done again for the backward: less memory, more time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Batch sizes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>32, 64, 128</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Samples in a step; each size is a run of its own</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>as it is; or a list: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Queues the points; each is predicted first and then measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close without starting</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1. Cancel pauses it; it goes on after any interruption without measuring again what was measured.</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SweepOffer</name>
    <message>
        <source>The sweep %1 is %2: it can go on.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Not now</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SweepPanel</name>
    <message>
        <source>Sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Pause the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Ends it at the next chance; what was measured is kept</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Go on with the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measures what is missing, and nothing twice</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the sweep for good</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Ends it for good; its runs stay</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export the sweep…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The curve as PNG, SVG or PDF, its points as CSV (Ctrl+E)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Hide</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Hide the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>It is found again from its runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the sweep for good?</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>What was measured stays among the runs; what is missing will not be measured. Pause ends it so that it can go on later.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Name of the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How far the sweep is</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Why the sweep did not go on</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Progress of the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep %1: %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Wrote %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::VariantSettings</name>
    <message>
        <source>Placement, recompute and chunks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>How this variant is placed, what it computes again, and how many stages a device has</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Settings of the variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Placement: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>as %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Not with the plan as it is: %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::VariantTabs</name>
    <message>
        <source>Variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Name of the variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>included in Run: %1 of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Leave out of Run	Space</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Include in Run	Space</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Rename	F2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Duplicate	Ctrl+D</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Delete	Del</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>New variant: a copy of this one</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Include in Run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Leave %1 out of Run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Include %1 in Run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>There is a variant "%1" already; %2 keeps its name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Rename %1 to %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Tabs to the left</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Tabs to the right</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>New variant</source>
        <translation type="unfinished" />
    </message>
</context>
</TS>
