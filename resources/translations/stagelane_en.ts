<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>stagelane::ui::ReportPage</name>
    <message numerus="yes">
        <source>%1 and %n other run(s)</source>
        <translation>
            <numerusform>%1 and %n other run</numerusform>
            <numerusform>%1 and %n other runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) compared</source>
        <translation>
            <numerusform>%n run compared</numerusform>
            <numerusform>%n runs compared</numerusform>
        </translation>
    </message>
</context>
</TS>
