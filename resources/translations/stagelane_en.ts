<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message>
        <source>Starting the engine</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, %1 left</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Canceling the run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>. Edits apply to the next run.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The run failed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>See the log for the reason.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The run was canceled</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of %2 repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Kept: %1.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Kept: %1 of each of %2 variants.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The run could not start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run disabled: engine not found</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The experiment is open; its results are loading.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 has unsaved changes.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stagelane quit unexpectedly. Unsaved changes from %1.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 was changed by another program.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>You have unsaved changes. After loading, Undo restores them.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The window still shows the previous version.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Nothing to plan yet: the experiment has no variants.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The experiment cannot be read</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The calibration failed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No program opens the log %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add a variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open log</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open the engine's log in the run folder</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Fix plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show the failed variant on the Plan page with suggested fixes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measure what is missing, in the same run folder</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run again</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measure the included variants again, in a new run folder</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Hide this message on all pages</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add a variant that trains the model on the first device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Undo the last edit</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Restore the experiment before the edit that cannot be read</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Restore the unsaved changes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Delete the unsaved changes permanently</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Load</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Load the changed file; Undo restores the current version</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep mine</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep the window's version; Save overwrites the file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop reading; the experiment stays open without its results</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Calibrate the costs again</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Hide this message</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>and 1 more row</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>and %1 more rows</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Replace file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 already exists.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Replacing the file in %1 overwrites its contents.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished" />
    </message>
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
        <source>GPU partition %1 of %2</source>
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
        <source>parameters</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>gradients</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>optimizer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>activations</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1. Press L to unlock it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot lock blocks until the placement is computed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Unlock %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Lock %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot make the placement manual to lock blocks: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Placement is now manual</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Beta %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Decay rate of the gradient's running mean (β₁)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Decay rate of the squared gradient's running mean (β₂)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>out of memory</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 ran out of memory in the last run of this plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Schedule 1f1b: fewer micro-batches at a time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split size %1: smaller micro-batches</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Recompute always: activations are not kept</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1/step, both ways</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>current</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>tied to </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>keeps </source>
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
        <source>Remove %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter a real device, such as cpu:0 or cuda:0</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>unused</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>mem</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>busy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>sample</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>samples</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>width = forward + backward time of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>width = memory of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>width = parameters</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>chain order →   </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>chip</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>chips</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> drawn at the 18 px minimum</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Drop on a lane, Esc cancels</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>over budget</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is over budget: needs %2, has %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Use: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>imagined</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is imagined: the plan can be predicted but not run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Move %1 to %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>copy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>copy to %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>copy to %1, %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>copies</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>budget %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>not contiguous</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, not %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>stage</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>stages</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>wrong stage order</source>
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
        <source>Make each device's blocks contiguous</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Join the stages of each device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cut the model into %1 stages</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split size %1: %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Placement: optimal</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Schedule %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Remove chunks</source>
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
        <source>Changed since it was measured (%1 per step)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 per step</source>
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
        <source>Not included in the last run</source>
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
        <source>Measurement in progress</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Available after the run, from the median step of each variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>noisy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>one repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>time per repeat (%1)</source>
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
        <source>%1, %2 timing</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>mean ± std of %1, %2 timing</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, so far</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>; hatched: fewer than %1 repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Execution time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>idle</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 % idle</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Idle causes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>share of the median step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>peak %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (budget %1)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>peak memory (%1)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>peak per device, including parameters and gradients</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>left out early</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>canceled</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>not run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>pending</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>predicted %1 (%2)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>measured %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>prediction error %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>estimated</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>from measured costs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, logarithmic</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>predicted step (%1%2)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>measured step (%1, median%2)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>step prediction error: median %1, largest %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted and measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Needs a predicted and measured variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>base</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of %2×</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>bound </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>bound</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>bound %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>relative to one worker with all cores: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>speed-up (×)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>ratio of medians; base: %1, median %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>no base was measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Speed-up</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Needs a measured base and another variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>best: %1, %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>predicted %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>best: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>split size (samples per micro-batch, log scale)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>only one split size; run a sweep to draw a curve</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>mean ± std by split size; dashed: predicted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Needs a measured pipeline variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>time per sample (%1)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 in all points</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>dashed: predicted · dots: mean ± standard deviation · ring: best</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>sweep points</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>±0 points</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1%2 points</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Last loss</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Idle %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Peak %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copied per step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Time per repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, unknown spread</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 %2 no repeat to compare.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> and </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>has</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>have</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Different %1: a repeat is not the same work in these runs.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>; the spread of a single repeat is unknown</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, beyond the spread of the repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, within the spread of the repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is %2 per repeat faster than %3%4%5.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Same machine and build.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Welch's test compares the times of the repeats. Step time and idle are from the median step, the speed-up from medians; their spread is unknown.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>same</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> of stage %1</source>
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
    <message>
        <source> in both</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of them on another device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 in %2 only</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The step of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>; %1 omitted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>smaller change of a cause</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>smaller changes of causes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Gradients</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>batch %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>LibTorch %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 warm-up</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>seed %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 events, %2 dropped</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A value is missing between two commas</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>"%1": expected an integer ≥ 1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 appears twice</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No variant is a pipeline. Set the strategy of a variant to pipeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, split %2: %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 at batch %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is larger than the batch (%2). Use 1 to %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>point</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>points</source>
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
        <source> (omitted split sizes larger than the batch: %1)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is locked to %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 in %2. Press L to unlock it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Automatic placement is not available: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>imagined, %1× %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Untitled</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Divide %1 into %2 partitions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add %1 partitions of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>There is no experiment to change</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 has different blocks: the placement of %2 is now optimal</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 · %2 parameters · %3: %4</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter the shape of one sample without the batch, such as 3×128×128</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 needs %2 stages, but the model has %3 blocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, placement of %2 optimal</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>models</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>inputs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>batch sizes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>batch counts</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>tasks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>precisions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>max </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>warm-up repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>batch size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>batches per repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>seed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>learning rate</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 and %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>split %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Delete %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stages per device; more stages shrink the bubble but add transfers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Placement</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Chunks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Custom</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep the current placement and edit it manually, as dragging a chip does</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Optimal</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cut for the shortest predicted step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Auto</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Place by memory, as accelerate's device_map="auto" does</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Balanced</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Use equal memory on all devices (accelerate's "balanced")</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Balanced, first low</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Use equal memory on all devices but the first (accelerate's "balanced_low_0")</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sequential</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Fill one device after the other (accelerate's "sequential")</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Never</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep all activations from forward to backward</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Except the last micro-batch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep only stage inputs and run forward again, except for the last micro-batch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Always</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep only stage inputs and run forward again: less memory, more time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Schedule default</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>1 per device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>2 per device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>3 per device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>4 per device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Calibrated</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> · spread %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Calibrated, noisy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, noisy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Block times varied between calibration passes: another program used the machine. Recalibrate while the machine is idle.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted from block times calibrated on this machine. Recalibrate after any change to its speed.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>another machine or LibTorch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stale</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stale calibration: </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The blocks were calibrated %1in another configuration: %2. Recalibrate to measure them again.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>≈ Estimate</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>≈ Estimate: %1 is not calibrated</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The calibration%1 does not cover %2, so times are estimated from multiply-accumulates and bytes. Calibrate to measure them.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>≈ Estimate from FLOPs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Times are estimated from multiply-accumulates and bytes. Calibrate to measure the blocks on this machine.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>From a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Costs from a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted from a cost file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted from the action times of a run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>measured peak</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>measured peaks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of this model in the workspace were %2 to %3 times their prediction.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Bounds of the plan: from the memory held between actions to twice the tensors that one action creates; operator workspaces may exceed them. Run the plan to narrow the bar with measured peaks.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>bounds of the plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split size %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Optimal placement</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Best plan found</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No placement is clearly better</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The stages are balanced</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Faster than balanced stages</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>cut or order of these stages</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>order of these stages</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>proven: no %1 is faster</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>proven within %1: no %2 takes less than %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, split %2, %3; %4</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1: (predicted − measured) / measured; negative if the prediction was too short</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Reading %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>: %1 of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, preparing the view</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, about %1 left</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>measured before the edits</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>measured %1 ago</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>edit</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>edits</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The measured steps of %1 are still loading</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No timeline of %1: none of its steps was recorded</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>the faster of the two middle steps; their median is %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>cannot run: see its tab</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>uses %1, an imagined device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>cannot run: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is left out because it %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>the experiment cannot be read: </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>no variant is included: include one on its tab</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>an imagined device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 %2; move its blocks to a device of this machine</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>run folder cannot be read</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>run folders cannot be read</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Var.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Best variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Prediction</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Noisy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, one repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>cannot be read</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>failed, %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>canceled, %1 of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>noisy, spread %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>run %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>sweep, %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>checking the gradients of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, warm-up</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>repeat %1 of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, %2 variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>left out early: %1 in %2 repeats; %4 takes %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>left out early: predicted %1 per step; %3 takes %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>device missing</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>does not fit</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>stalled</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>killed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>gradient check</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>window closed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>cannot write</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>stage %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>micro-batch %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>best</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>best so far</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 per sample</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 per sample, one repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>paused</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>interrupted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>: predicted %1%2 per sample</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, %1 %2, n = %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>so far</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of %2 points measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, %1 started</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, %1 of %2 repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> in this </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>first %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>predicted step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>repeat %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, step %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (extra, not timed)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (median)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (last before the failure)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>whole trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>failed after this step: </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>from the trace's start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>from the step's start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Skipped %1 too narrow to see (W zooms in)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>gap</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>gaps</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>predicted </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>prediction %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1: expected a number ≥ 0, such as %1:1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>extra repeat with operators, not timed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>extra repeat, not timed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>event</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>events</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, mean %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (%1 cut off at the edges)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>All %1 events of the trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> by </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>until %1 ended at %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>until the data was ready on %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>the trace does not record the source</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>transfer in progress</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 arrived at %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 ended at %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>before its first work</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>after its last work</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>all devices had finished computing</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>the tensor was ready; the worker started late</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>the trace does not record the cause</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>gap on %1, %2 – %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, before %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 idle %2: %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>record lost</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>records lost</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>host and others</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>depth %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>utilization</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>predicted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 more overlap</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>max %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>events may be missing anywhere in the trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Duration</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (%1 relative to measured)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Peer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 on %2, predicted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>not in this step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Difference</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, started %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>same duration</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> longer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> shorter</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>as predicted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> later</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> earlier</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>busy %1 %</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>idle %1 %</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (predicted %1)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>an unknown device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1: no compute events recognized in this trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1: no compute in this step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>forward</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>backward</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>input half</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>weight half</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>warm-up</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>drain</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>tail</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>starved</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>transfer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>host</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>unattributed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>compute</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>starved by %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 idle %2 %</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>loss</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>copy out, activation</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>copy in, activation</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>copy out, gradient</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>copy in, gradient</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>all-reduce</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>operator</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>kernel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>synchronization</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>other</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show the window</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Action failed (%1). Save your work and report the error.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Last run: done, %1, %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Last run: done, %1, %2 not run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Last run: canceled</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>In progress in another program</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Last run: failed</source>
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
        <source>Choose a model, its input, the batch and the devices</source>
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
        <source>Export the plan of this variant as a PyTorch script or a device map</source>
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
        <source>Save the changes to %1?</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Your changes are lost if you close without saving.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Your changes are lost if you continue without saving.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Close without saving</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Continue without saving</source>
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
        <source>A run is in progress; wait for it to finish before opening another</source>
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
        <source>Overwrite the other program's changes?</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 was changed since Stagelane read it. Saving overwrites those changes.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Overwrite</source>
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
        <source>Load external changes</source>
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
        <source>Use the desktop theme</source>
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
        <source>Sweep in progress</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run in progress</source>
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
        <source>Measurements are kept. Resume the sweep later on the Runs page.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measurements are kept. Resume the run later on the Runs page.</source>
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
        <source>Stopped reading the run. Its experiment remains open.</source>
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
        <source>Cannot show a measured step: %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::app::SweepController</name>
    <message>
        <source>A run is in progress; wait for it or cancel it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The sweep could not start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot cancel the sweep. %1</source>
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
        <source>The sweep is complete</source>
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
        <source>Show only blocks whose name contains this text</source>
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
    <message>
        <source>block</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>blocks</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::BlockTreeModel</name>
    <message>
        <source>Forward and backward time of one micro-batch on the first device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>params</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>F+B µs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>F+B ms</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>device</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ChartCard</name>
    <message>
        <source>Export the chart "%1"</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export this chart as PNG, SVG, PDF or CSV</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ChartView</name>
    <message>
        <source> · click to open the median step in the Timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Click to show or hide %1 here and in the Timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter opens the median step of %1 in the Timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Space shows or hides %1 here and in the Timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1: arrow keys select bars and show their values</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1: arrow keys select bars and legend entries</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ChartsPage</name>
    <message>
        <source>Draw the charts in the style "%1"</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stagelane</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Tutorial</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Draw execution times in the PyTorch tutorial's style</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Draw all variants with standard deviations and repeat counts</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export a chart</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export a chart as PNG, SVG, PDF or CSV (Ctrl+E)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Charts to export</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run to show</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show the charts of another run and open its experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Single repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show each repeat as a dot</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show each repeat as a dot, in addition to mean and standard deviation</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Style</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Charts of the last run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export "%1"…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export a chart…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show or hide single repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Chart style: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Choose the run of the charts…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Idle causes: hide or show %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A sweep is running; its curve is on the Runs page.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The run has begun; charts fill with each repeat.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No charts yet: nothing has been run in this window.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open newest run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>All runs…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Wrote %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ChipGroups</name>
    <message>
        <source>%1 stays open: its blocks are in more than one stage</source>
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
        <source>PyTorch script, one process</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>In the style of PyTorch's model-parallel tutorial. Run it with python3.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>torch.distributed.pipelining, one process per device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Uses the plan's schedule. Run it with torchrun.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Device map (JSON)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>For device_map of Hugging Face accelerate and transformers.</source>
        <translation type="unfinished" />
    </message>
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
        <source>Code format</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>About this format</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copy code</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save code</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copy the code to the clipboard</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save the code to a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Format of the code: PyTorch script or device map</source>
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
        <source>Computing the placement…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Generating code…</source>
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
        <source>Type letters of an action</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Matches first letters of words: "dv" finds Duplicate the variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No matching action</source>
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
        <source>Cancel calibration</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Calibration progress</source>
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
        <source>Searching for a schedule (auto). Dimmed values are from the previous plan.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Updating the prediction. Dimmed values are from the previous plan.</source>
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
        <source>%1. Move blocks to another device, or reduce the split size</source>
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
        <source>Requires stagelane-engine, which was not found</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A run is in progress; wait for it to finish before calibrating</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The experiment cannot be read</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measure each block on this machine's devices (about %1). Keep the machine otherwise idle.</source>
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
    <message>
        <source>one point per possible cut</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>axis from %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Click a dot to cut</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, best of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>cut</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>cuts</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>now </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>before %1: %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>best </source>
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
        <source>Add a GPU or its partitions, a CPU worker, or an imagined device</source>
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
        <source>An imagined device predicts how a plan performs on hardware that you do not have. It cannot run.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Plans that need more memory are marked, and runs cannot exceed it.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Like</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Real device whose costs are scaled, such as cpu:0 or cuda:0</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Speed factor</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Speed relative to that device: 2 means twice as fast</source>
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
        <source>Memory budget</source>
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
        <source>Problem</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Memory budget of a plan on this device, such as 8 GiB or 500 MB</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Apply the settings (one undo step)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep the current settings</source>
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
        <source>Enter the speed as %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter the memory with its unit, such as 8 GiB or 500 MB, or unlimited</source>
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
        <source>Enter a name</source>
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
    <name>stagelane::ui::DropPreview</name>
    <message>
        <source>No prediction: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>the plan cannot be read</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> of </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, peak %1</source>
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
        <source>Name of the experiment in the window, in runs and in reports</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model to train. Placements stay if the new model has their blocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Input</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Shape of one sample without the batch: 3×128×128 for an image, 128 for a text of 128 tokens</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Data type</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Data type of parameters and activations (`dtype`)</source>
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
        <source>Compute precision: full precision of the data type, TF32 matrix products on GPUs, or bfloat16 autocast</source>
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
        <source>Model sizes and files</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change the model's sizes or load a model file</source>
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
        <source>Samples per training step (`batch_size`)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Batches</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Training steps per repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Labels</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Format of the labels: one-hot rows, class indices, or random values</source>
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
        <source>Loss function: mean squared error or cross entropy</source>
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
        <source>Random seed of the parameters; the data use the next seed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Train, or run the forward pass only without gradients</source>
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
        <source>Optimizer. Adam and AdamW keep two state tensors per parameter, SGD one with momentum, none without</source>
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
        <source>Step size of the optimizer (`lr`)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Momentum</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Momentum factor (`momentum`)</source>
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
        <source>Weight decay coefficient (`weight_decay`)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Epsilon</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Term added to the denominator for numerical stability (`eps`)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Clip gradients</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Maximum 2-norm of all gradients together (`max_norm`); empty: no clipping</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measurement</source>
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
        <source>Untimed repeats before the timed ones</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Timing</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Steady: synchronize devices before and after each repeat. Tutorial: time as the PyTorch tutorial does</source>
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
        <source>Threads per CPU worker</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Number of threads of each CPU worker</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Events to record: stage actions, plus operators, plus GPU kernels</source>
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
        <source>Update running statistics once per micro-batch, or deferred: once per batch</source>
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
        <source>Compare each plan's gradients with those of a single worker</source>
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
        <source>Change model…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Choose another model, change its sizes, or load a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model, data, loss, optimizer and repeats of all variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Timed repeats of each variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>for all variants</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 · %2 · %3 parameters</source>
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
        <source>%1, lr %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>+ %1 warm-up</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ExportDialog</name>
    <message>
        <source>Export: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Width in mm</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Height in mm</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Dots per inch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Theme</source>
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
        <source>Width</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Height</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>PNG for slides, SVG or PDF for papers, CSV for the data</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>PNG for slides, SVG or PDF for papers (text stays text)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Printed width; a column of a paper is about 85 mm wide</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Printed height; the layout adapts to it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Resolution of a PNG: 300 for print, 150 for screens</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Light for paper, dark for dark slides</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Output file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Choose the output file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>~ is your home folder; relative paths start at %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copy to the clipboard</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Write the file; asks before replacing a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copy the picture or table to the clipboard</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the export</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the export without writing a file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Preview</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Problem</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export progress</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter a file name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Canceled. No file was written.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::HistoryBanners</name>
    <message>
        <source>Action failed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot reload the run history</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Rebuild the index</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The index of runs cannot be saved; the folders are read each time</source>
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
        <source>Restore them from the trash (Ctrl+Z)</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::IdleCauseModel</name>
    <message>
        <source>Busy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>pred. %</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::IntegerBox</name>
    <message>
        <source>Enter %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::LanesView</name>
    <message>
        <source>Device lanes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Moving %1 to %2.  %3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Release to drop · Esc cancels · Shift takes the rest of the stage, Alt the whole group</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>
peak %1: %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>
error bar: %1
%2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>
%1: busy %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, peak %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 on %2
forward %3, backward %4
keeps %5, %6 parameters</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>
%1 per step cross the boundary before it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>
locked: L unlocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>
tied to %1, gradients are summed across devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::LayerTableModel</name>
    <message>
        <source>block</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>layer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>blocks</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>layers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 · %2 parameters · of %3: %4 MACs, %5 activations</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>sample</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>samples</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Available for the whole block only, %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>#</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Position in the chain</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Module path in PyTorch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>PyTorch class</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Output shape</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Output shape for one micro-batch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Params</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Parameters (shared ones count once)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>MACs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Multiply-accumulates of one micro-batch, forward</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>FLOPs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Floating-point operations (2 × MACs)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Activations</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Size of all outputs for one micro-batch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>F</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Forward time of one micro-batch on the first device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>I</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Backward time for the input gradient</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>W</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Backward time for the weight gradients</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::LoadingCard</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Loading status</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Loading progress</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop reading the trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop reading and restore the previous view (Esc)</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::LoadingPanel</name>
    <message>
        <source>Loading</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Current operation</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stops reading. Files on disk are unchanged.</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ModelDialog</name>
    <message>
        <source>Change model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Applies to all variants. Placements stay if the new model has their blocks; others become optimal.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change the model of all variants (one undo step)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep the current model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter the shape of one sample without the batch, such as 3×128×128</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ModelForm</name>
    <message>
        <source>Enter %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model to train: a built-in model or a model file</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model file…</source>
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
        <source>Shape of one sample without the batch: channels × height × width of an image, tokens of a text, or values of a row</source>
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
        <source>JSON file with "layers" (see docs/reference/models.md)</source>
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
        <source>Layers in the experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Fraction of values dropped during training (`p`)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of the model (default: %2)</source>
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
        <source>Name of the experiment in the window, in runs and in reports</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Batch size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Samples per training step; a pipeline splits them into micro-batches</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Number of devices: GPUs if the machine has enough, else CPU workers. Add other or imagined devices on the Plan page</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Summary of the new experiment</source>
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
        <source>Create experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Create it with three variants: single device, model parallel, pipeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep the open experiment</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::NotedField</name>
    <message>
        <source>Error in %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::PlanDevices</name>
    <message>
        <source>A plan has at most %1 devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot add %1: the plan is missing or already has this device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>This plan has no device %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The experiment cannot be read. Fix it before changing devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is the only device. Add another one before removing it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is running. Wait for the run to finish, or cancel it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Remove %1</source>
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
        <source>Export the predicted step as PNG, SVG or PDF, its events as CSV</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export "Step time by cut"…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export the predicted step time for every cut, as PNG, SVG, PDF or CSV</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export "Step time by split size"…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export the predicted step time for every split size, as PNG, SVG, PDF or CSV</source>
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
        <source>cut before block</source>
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
    <name>stagelane::ui::PlanFigures</name>
    <message>
        <source>%1 is tied to %2, gradients are summed across devices</source>
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
        <source>Reason the plan cannot run</source>
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
        <source>Time of one step over the batch: forward, backward and update on all devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Source of the numbers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step time of the current plan</source>
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
        <source>Restore the measured plan</source>
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
        <source>Predicted speed relative to the best single device, compared with the number of devices</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Upper bound for every schedule of this plan: the first and last micro-batch pass all stages in sequence, and each device does its share of the work</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measured speed-up</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Speed relative to the base, from the medians of the last run</source>
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
        <source>Memory breakdown</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Source of the error bars</source>
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
        <source>Values are from the last valid plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Current: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of %2×</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of %2</source>
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
        <source> of </source>
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
        <source> (measured plan)</source>
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
    <name>stagelane::ui::PlanMoves</name>
    <message>
        <source>Move %1 to %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No lane above</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No lane below</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot cut before %1: it is the first block</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A stage already begins with %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cut before %1</source>
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
        <source>Lanes and lower panel</source>
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
        <source>Export prediction</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export the predicted step or its curves over cuts and split sizes (Ctrl+E)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export prediction…</source>
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
        <source>Select the previous chip</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Select the next chip</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Extend to the previous chip</source>
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
        <source>Previous variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Include or exclude the variant in Run</source>
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
        <source>Restore the measured plan</source>
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
        <source>Shown variant of the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Micro-batches per step</source>
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
        <source>Shown variant of the sweep…</source>
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
        <source>Scale chip widths by %1</source>
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
        <source>not available for this plan</source>
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
        <source>%1 (Esc restores the plan's value)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Samples per micro-batch; a list makes a sweep: 4, 8, 16</source>
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
    <message>
        <source>peak </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>budget </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>This drop is impossible, so no step is shown</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The plan is impossible, so no step is shown</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicting the plan…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>preview of this drop</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>this drop is impossible</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>predicting this drop</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>not used by this plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>after the drop</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>peak %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1, stage %2%3, predicted %4</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, micro-batch %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ProblemBar</name>
    <message>
        <source>Fix the plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Plan problem</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change the plan so that it can run (Ctrl+Z undoes it)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Fix the plan: %1</source>
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
        <source>Idle causes</source>
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
        <source>File format. HTML is a single file; Markdown stores pictures in a folder beside it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Colors of the HTML page</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Colors of the HTML page on a screen: follow the reader's system, or always light or dark. Print, PDF and Markdown are always light</source>
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
        <source>Export report</source>
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
        <source>Add run to report…</source>
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
        <source>Open the report as HTML in the browser</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open the report as a self-contained HTML page</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add run…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add a run to the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Add another run and compare both in one report. See also "Report of checked runs" on the Runs page</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Only the last run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report on the last run only</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report on</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report contents</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Create report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open newest run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open the newest run of the workspace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open the Plan page</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The report is created after the run.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No report yet: nothing has been run in this window.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>run %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No other run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Reading the runs…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Another folder…</source>
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
        <source>%1 of %2 folders contain no readable run</source>
        <translation type="unfinished" />
    </message>
    <message numerus="yes">
        <source>%n run(s) compared</source>
        <translation>
            <numerusform>%n run compared</numerusform>
            <numerusform>%n runs compared</numerusform>
        </translation>
    </message>
    <message>
        <source>The report was not created.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Reading the runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Creating the pages</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Writing the report</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Writing the report for the browser</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot open a browser. Open %1 manually</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Wrote %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::ReportPreview</name>
    <message>
        <source>Preview of the report's pages</source>
        <translation type="unfinished" />
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
        <source>Show the pages at their printed size</source>
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
        <source>Variant shown on Plan, Timeline and Charts</source>
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
        <source>Run progress</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run options</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run only the current tab, or a sweep over values</source>
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
        <source>calibration in progress</source>
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
        <source>Run disabled: %1</source>
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
        <source>End the current repeat; the sweep can be resumed (Ctrl+.)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>End the run at its next action and keep its measurements (Ctrl+.)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Canceling: waiting for the current step</source>
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
        <source>Import canceled. No files were copied.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 is in progress. Cancel it first.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot move to the trash: %1. Open its folder and delete it there.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot restore: %1. It is not in the trash, or its path is in use.</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::RunTableModel</name>
    <message>
        <source>Check two or more runs to compare them (Space)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Favorite (F)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Mean ± standard deviation of a repeat (all its batches); %1</source>
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
        <source>%1. The row shows the last known values</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>favorite</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>not a favorite</source>
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
        <source>Resume: measure missing repeats</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measure missing repeats in the same run folder (R)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Duplicate as new experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Toggle favorite</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Edit tags</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Edit note</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Report of checked runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Uncheck all runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Move to trash</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Restore from trash</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Import run…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Rebuild index of runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Run the same experiment again in a new run folder</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show the curve and the points of this run's sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>This run is not part of a sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Check or select two or more runs to compare them</source>
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
        <source>Close comparison</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant to compare</source>
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
        <source>Summary of the comparison</source>
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
        <source>Compared runs</source>
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
        <source>Differences in the recorded step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The median step; with an even number of repeats, the faster of the two middle steps, which differs from the median time.</source>
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
        <source>Run details</source>
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
        <source>Tags of the run, for searches such as tag:WORD</source>
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
    <name>stagelane::ui::RunsPage</name>
    <message>
        <source>Imported %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No runs yet. Runs started here or with `stagelane run` are listed on this page.</source>
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
        <source>Run experiment</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Import a run folder…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No runs match.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Check the runs for the report first</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot open a file manager for %1</source>
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
        <source>Clear the search and show runs of every status</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Continue from here</source>
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
    <message>
        <source>compare</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>favorite</source>
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
        <source>Words that must all match; also tag:T, status:failed, model:M, device:D, since:DAY, until:DAY, is:favourite, is:noisy, and a minus to exclude a word (Ctrl+F)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>More actions on runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>More actions on the selected runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show runs: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show only runs of this status: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 checked</source>
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
        <source>History task</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Task progress</source>
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
        <source>Search filters</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Remove %1 from the search</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Remove this filter from the search</source>
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
    <message>
        <source>split size</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>best %1: %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>split %1: %2%3</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>, does not fit</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>. Click to apply it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>over budget</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::StepEventsModel</name>
    <message>
        <source>Action</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Start </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Duration </source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>prediction</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Click to sort all events by this column</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The duration</source>
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
    <message>
        <source>%1: %2, %3 after the step's start</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SuggestionPanel</name>
    <message>
        <source>Status of the suggestions</source>
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
        <source>Searching for better plans…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No suggestions for this plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Change the plan to this (Ctrl+Z undoes it)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>fits</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Split size %1: best of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No better schedule found</source>
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
        <source>Sweep: ← and → select a point, Enter opens it</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SweepDialog</name>
    <message>
        <source>Stop slow points early</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Start sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep over values</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop points that are predicted (from measured costs) to be at least 25 % slower, or whose first three repeats are all slower than the fastest point</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Pipeline to vary; other variants are not run</source>
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
        <source>Samples per micro-batch: 1 to the batch size</source>
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
        <source>Schedules to compare: %1</source>
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
        <source>Placement modes: optimal, auto, balanced, sequential, or same as: another variant</source>
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
        <source>Whether the backward pass recomputes activations: less memory, more time</source>
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
        <source>Samples per step; each size is a separate run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>unchanged, or a list: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Queue the points; each is predicted and then measured</source>
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
        <source>%1. Cancel pauses the sweep. It can resume after any interruption without repeating measurements.</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::SweepOffer</name>
    <message>
        <source>Sweep %1 is %2 and can be resumed.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show sweep</source>
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
        <source>Stop at the next opportunity; measurements are kept</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Resume the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measure the missing points</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the sweep permanently; its runs are kept</source>
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
        <source>Export the curve as PNG, SVG or PDF, or the points as CSV (Ctrl+E)</source>
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
        <source>Reopen it from any of its runs</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel the sweep permanently?</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measured runs are kept; missing points will not be measured. Use Pause to resume the sweep later.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Keep sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep status</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep problem</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sweep progress</source>
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
    <name>stagelane::ui::TimelineEvents</name>
    <message>
        <source>Sorting…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>area</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::TimelineFind</name>
    <message>
        <source>Find events by name or kind</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Number of matches</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Previous match</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next match</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Find an event  /</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Words of a name or kind; stage:1, mb:3 and on:cpu:0 filter them,
quotes keep spaces in a word: on:"process 1".
Enter: next, Shift+Enter: previous, Esc: leave</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Previous match (Shift+N)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next match (N)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source> (%1 hidden)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Hidden matches are of kinds that are off in the legend below. Click a kind there to show them</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>invalid</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::TimelineLegend</name>
    <message>
        <source>Legend: show or hide kinds of actions and idle causes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>This color is %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Legend: hide or show %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Click to hide or show: %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::TimelineMinimap</name>
    <message>
        <source>Drag the box to move the view, its edges to resize it</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Overview of the trace: busy share of every device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>busy share</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Start of the view</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>End of the view</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::TimelinePage</name>
    <message>
        <source>Timeline and details</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Reason for the missing timeline</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open plan</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open the Plan page</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Reading the steps that were measured</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Preparing the step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No events in %1.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No timeline yet: the plan cannot be predicted, and nothing has been measured.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Fit the step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Zoom in</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Zoom out</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Pan left</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Pan right</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next event of the track</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Previous event of the track</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Fold or unfold the selected track</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next gap</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Previous gap</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Undo zoom</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Zoom to the selection</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Pin the selected track</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Find an event</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next match</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Previous match</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open a trace…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop reading the trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Timeline of %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Wrote %1</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::TimelinePanels</name>
    <message>
        <source>Selection, idle causes, events</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Idle causes of every device</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Click a cause to mark its gaps</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>click a row to mark its gaps</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Events of the step or area</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Selection</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Idle causes</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Events</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>record lost</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>records lost</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::TimelineSelection</name>
    <message>
        <source>Zoom</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Selection</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Selection details</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Events in the area</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Group the area by kind</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Go to the main cause</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Zoom to the selection</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copy selection details</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Select the event that this gap waited for longest</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Zoom to the selection (Enter)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Copy these details to the clipboard</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Group by kind instead of by name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>By kind</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Nothing selected</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Click an action or a gap, or drag over an area to see its figures. [ and ] select gaps, comma and period the events of a track; W A S D zoom and pan, F fits, / finds, M measures, P pins and E folds the track under the mouse.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Go to %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Zoom to gap</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Area</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Counting…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>count %1
total %2 ns</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Total ns</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Mean ns</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::TimelineToolbar</name>
    <message>
        <source>Variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Predicted and measured step time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Choose the variant of the sweep…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Choose the step…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Previous step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show or hide the predicted step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Align at the first difference</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Align at the step's start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Colors of actions: %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant of the sweep</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant of the sweep to show</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Step to show; the median of the repeats is the default</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show the predicted step above the measured one</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show the predicted step as a ghost above the measured actions</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Meaning of colors</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>by kind</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>by micro-batch</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>by stage</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Color actions by kind, micro-batch or stage</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Gaps</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Previous gap ([)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Next gap (])</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Measure the time between two points, snapping to edges (M)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show the whole step (F)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Export the timeline as a picture or table (Ctrl+E)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Align at</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>step start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Align the starts of the predicted and the measured step</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>first difference</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Align at the %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Align both steps at the first action that did not start at its predicted time</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Every action started at its predicted time, within 0.5 %</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Align</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::TimelineView</name>
    <message>
        <source>Timeline of the step: tracks of every device</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>stagelane::ui::TraceBanner</name>
    <message>
        <source>This step has no operators</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Operators are recorded in an extra, untimed repeat</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cannot show %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 · %2 stays open</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Return to the current trace</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>%1 from %2</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>event</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>events</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Trace %1</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Show operators</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Back to the experiment</source>
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
        <source>Placement mode, recomputation, and stages per device of this variant</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Variant settings</source>
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
        <source>Not available for this plan: %1</source>
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
        <source>Variant name</source>
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
        <source>Exclude from Run	Space</source>
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
        <source>Exclude %1 from Run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Include %1 in Run</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>A variant "%1" already exists; %2 keeps its name</source>
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
