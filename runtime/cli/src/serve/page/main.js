// The explorer's page: an editor, what the compiler makes of its text, and what a run does.

import { createEditor } from "./editor.bundle.js";
import { colorsOf, linesWithCode } from "./colors.js";
import { edits } from "./edits.js";
import { element, later } from "./elements.js";
import * as forms from "./forms.js";
import { paneArea } from "./panes.js";
import * as running from "./running.js";
import { asker, start } from "./server.js";
import { stepper } from "./stepper.js";

const byId = (id) => document.getElementById(id);
const ask = { compile: asker("compile"), why: asker("why"), run: asker("run"), step: [asker("step"), asker("step")] };

// What is known of the text that is in the editor, or was when it was last compiled.
const state = { name: "", answer: null, kernel: null, colors: new Map(), why: null, ran: null, running: false, faults: [], divergence: [] };
const runOptions = { arguments: "", input: "" };

const editor = createEditor(byId("editor"), { label: "Source of the program", changed, moved });
// A person has chosen a row of an area's listing: the editor and the other area show its line.
const choosing = (own) => (line, enter) => {
    editor.setHere(line > 0 ? [line] : [], true);
    areas.forEach((area, index) => area.here(line, index !== own));
    if (enter && line > 0) {
        editor.go(line, 1);
    }
};
state.question = () => question();
const steps = stepper(state, ask.step, runOptions, {
    here: (line) => editor.setHere(line > 0 ? [line] : [], true),
    ended: (faults) => showFaults(faults),
});
const panes = (chosen) => [
    { id: "assembly", title: "Assembly", show: forms.assembly(state, chosen) },
    { id: "ir", title: "IR", show: forms.representation(state, chosen) },
    { id: "graph", title: "Control flow", show: forms.graph(state, chosen) },
    { id: "tree", title: "Syntax tree", show: forms.tree(state, chosen) },
    { id: "checked", title: "Checked tree", show: forms.checkedTree(state) },
    { id: "why", title: "Why", show: forms.reasons(state) },
    { id: "output", title: "Output", show: running.output(state, runOptions, run) },
    { id: "report", title: "Report", show: running.report(state) },
    { id: "steps", title: "Steps", show: steps },
];
const areas = [paneArea(byId("first"), "first", panes(choosing(0)), "assembly"), paneArea(byId("second"), "second", panes(choosing(1)), "ir")];
const refresh = (...ids) => areas.forEach((area) => area.refreshIf(...ids));
const programName = () => byId("example").selectedOptions[0]?.textContent ?? "";
const question = () => ({ name: programName(), source: editor.text(), options: byId("options").value });

function say(text) {
    byId("state").textContent = text;
}

// Programs by number, as the server has them, and the texts that a person has made of them.
const programs = [];
const edited = edits();
const program = () => programs[byId("example").value];

function load() {
    runOptions.arguments = program().arguments ?? "";
    refresh("output");
    editor.setText(edited.textOf(program()));
}

const compileSoon = later(300, compile);

function changed(text) {
    if (program() !== undefined) {
        edited.keep(program(), text);
        byId("revert").disabled = text === program().source;
    }
    // Where a run of another text has stopped says nothing of this one.
    showFaults([]);
    say("Compiling …");
    compileSoon();
}

function compiled(diagnostics) {
    const errors = diagnostics.filter((found) => found.severity === "error").length;
    return errors === 0 ? "Compiled." : `Not compiled: ${errors} error${errors === 1 ? "" : "s"}.`;
}

// The compilation in progress, or the last one.
let compiling = Promise.resolve();

function compile() {
    compiling = compileNow();
    return compiling;
}

async function compileNow() {
    say("Compiling …");
    const asked = question();
    const answer = await ask.compile(asked);
    if (answer === null) {
        return;
    }
    say(answer.refused ? "" : compiled(answer.diagnostics));
    byId("options-wrong").textContent = answer.refused ?? "";
    if (answer.refused) {
        editor.setDiagnostics([]);
        byId("diagnostics").replaceChildren();
        return;
    }
    Object.assign(state, { answer, name: asked.name });
    state.colors = colorsOf(linesWithCode(answer.kernels));
    editor.setColors([...state.colors]);
    showDiagnostics();
    const names = answer.kernels.map((kernel) => kernel.name);
    byId("kernel").replaceChildren(...names.map((name) => element("option", { selected: name === state.wanted }, name)));
    chooseKernel();
    askWhy(...editor.place());
}

function chooseKernel() {
    const { kernels } = state.answer ?? { kernels: [] };
    state.kernel = kernels.find((kernel) => kernel.name === byId("kernel").value) ?? kernels[0] ?? null;
    showLayer();
    refresh("assembly", "ir", "graph", "tree", "checked");
    areas.forEach((area) => area.here(editor.place()[0], false));
}

// The text that follows a diagnostic.
function details(found) {
    const others = found.labels.slice(1).map((label) => `line ${label.line}: ${label.text}`);
    return [...others, ...found.notes.map((note) => `note: ${note}`), ...found.helps.map((help) => `help: ${help}`)];
}

// What stopped a run, until the text changes.
function showFaults(faults) {
    if (faults.length + state.faults.length > 0) {
        state.faults = faults;
        showDiagnostics();
    }
}

function showDiagnostics() {
    const all = [...state.answer?.diagnostics ?? [], ...state.faults];
    const here = (found) => found.labels[0] !== undefined && found.labels[0].file === state.name;
    editor.setDiagnostics(all.filter(here).map((found) => {
        const { line, column, end_line: endLine, end_column: endColumn, text } = found.labels[0];
        const severity = found.severity === "note" ? "info" : found.severity;
        const message = [`${found.message}${text ? ` (${text})` : ""}`, ...details(found)].join("\n");
        return { line, column, endLine, endColumn, severity, message };
    }));
    const rows = all.map((found) => {
        const [place] = found.labels;
        const where = place ? `${here(found) ? "" : `${place.file}:`}${place.line}:${place.column} ` : "";
        const go = () => here(found) && editor.go(place.line, place.column);
        const head = element("button", { type: "button", onclick: go }, `${where}${found.severity} ${found.code}: ${found.message}`);
        return element("li", { class: found.severity }, head, ...details(found).map((text) => element("p", { class: "dim" }, text)));
    });
    byId("diagnostics").replaceChildren(...(rows.length > 0 ? [element("ul", {}, ...rows)] : []));
}

// The analyses over the source.
function showLayer() {
    const wanted = byId("layer").checked;
    byId("legend").hidden = !wanted;
    document.body.classList.toggle("with-layer", wanted);
    const marks = wanted ? state.kernel?.layer ?? [] : [];
    editor.setMarks(marks.map((mark) => ({
        ...mark,
        class: `mark mark-${mark.class} mark-${mark.what} mark-${mark.taint}`,
        text: `${mark.what}: ${mark.text}; ${mark.taint === "D" ? "D, depends on data in memory" : "P, depends on no data in memory"}`,
    })));
}

function moved(line, column) {
    editor.setHere([], false);
    areas.forEach((area) => area.here(line, true));
    askWhy(line, column);
}

const askWhy = later(200, async (line, column) => {
    if (!areas.some((area) => area.shows("why"))) {
        return;
    }
    // Of a word that is not known, what is known of its line.
    const word = await ask.why({ ...question(), line, column });
    const answer = word?.refused ? await ask.why({ ...question(), line }) : word;
    if (answer !== null) {
        state.why = answer;
        refresh("why");
    }
});

async function run() {
    state.running = true;
    if (!areas.some((area) => area.shows("output") || area.shows("report"))) {
        areas[byId("split").checked ? 1 : 0].open("output");
    }
    refresh("output", "report");
    // A compilation that ended later would overwrite the status of the run.
    compileSoon.flush();
    await compiling;
    say("Running …");
    const ran = await ask.run({ ...question(), ...runOptions });
    if (ran === null) {
        return;
    }
    Object.assign(state, { running: false, ran });
    const broken = ran.diagnostics?.some((found) => found.severity === "error");
    say(broken ? compiled(ran.diagnostics) : ran.refused || ran.faults?.length > 0 ? "Stopped." : "It has run.");
    showFaults(ran.faults ?? []);
    refresh("output", "report");
}

function split() {
    const two = byId("split").checked;
    byId("second").hidden = !two;
    document.body.classList.toggle("split", two);
    areas[1].refresh();
}

function keys(event) {
    const does = {
        "Ctrl+Enter": run,
        "Alt+e": () => editor.focus(),
        "Alt+p": () => areas[0].focus(),
    }[`${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${event.key}`];
    if (does) {
        event.preventDefault();
        event.stopPropagation();
        does();
    }
}

function listen() {
    byId("controls").addEventListener("submit", (event) => {
        event.preventDefault();
        if (event.submitter === byId("run") && document.activeElement !== byId("options")) {
            run();
        }
    });
    byId("options").addEventListener("input", later(400, () => {
        edited.keepOptions(byId("options").value);
        compile();
    }));
    byId("revert").addEventListener("click", () => editor.setText(program().source));
    byId("kernel").addEventListener("change", () => {
        state.wanted = byId("kernel").value;
        chooseKernel();
    });
    byId("layer").addEventListener("change", showLayer);
    byId("split").addEventListener("change", split);
    byId("keys").addEventListener("click", () => byId("help").showModal());
    // Before the editor, which has keys of its own.
    document.addEventListener("keydown", keys, { capture: true });
    byId("editor").addEventListener("click", (event) => {
        if (event.target.closest(".mark") && !areas.some((area) => area.shows("why"))) {
            areas[byId("split").checked ? 1 : 0].open("why");
            askWhy(...editor.place());
        }
    });
}

async function begin() {
    const { opened, examples, divergence, refused } = await start();
    if (refused) {
        say(refused);
        return;
    }
    programs.push(...(opened.source ? [opened] : []), ...examples);
    const names = programs.map(({ name }, index) => element("option", { value: index }, name));
    byId("example").append(...names);
    state.divergence = divergence;
    byId("options").value = edited.options() ?? opened.options;
    const last = programs.findIndex(({ name }) => name === edited.program());
    byId("example").value = Math.max(0, last);
    byId("example").addEventListener("change", () => {
        edited.keepProgram(program().name);
        load();
    });
    listen();
    load();
}

begin();
