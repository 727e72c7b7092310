// The stepper: one block of a launch, instruction by instruction, forwards and backwards, under one divergence scheme or two.

import { element } from "./elements.js";
import { recorded } from "./recording.js";
import { accesses, code, lanesOf, paths, queues, scheme, times } from "./state.js";

// What is chosen; it outlives the pane.
const choice = { launch: 0, block: 0, warp: "0", schemes: ["", ""], byCycle: true, at: 0 };

// `ask[i]` asks for the steps under the i-th scheme; `here(line)` shows a line of the source, `ended(faults)` what stopped the run.
export function stepper(state, ask, runOptions, { here, ended }) {
    let recordings = [];
    let problems = [];
    let asked = "";
    let isBusy = false;

    // Afterwards the keys work, unless a person has gone on elsewhere.
    async function record(draw, body) {
        const kernel = state.kernel?.name;
        if (!kernel) {
            return;
        }
        isBusy = true;
        draw();
        const wanted = [choice.schemes[0], ...(choice.schemes[1] ? [choice.schemes[1]] : [])];
        const answers = await Promise.all(wanted.map((divergence, index) => ask[index]({
            ...state.question(), ...runOptions, kernel, launch: choice.launch, block: choice.block, divergence,
        })));
        isBusy = false;
        if (answers.includes(null)) {
            return;
        }
        asked = state.question().source;
        problems = answers.map((answer) => {
            const broken = answer.diagnostics?.find((found) => found.severity === "error");
            return answer.refused ?? (broken ? `The program cannot be run: ${broken.message}` : answer.ended);
        }).filter(Boolean);
        recordings = answers.filter((answer) => answer.steps?.length > 0).map(recorded);
        choice.at = 0;
        ended(answers.flatMap((answer) => answer.faults ?? []).slice(0, 1));
        const focused = document.activeElement;
        const isElsewhere = focused !== document.body && !body.contains(focused);
        draw();
        if (!isElsewhere) {
            body.querySelector(".steps")?.focus();
        }
    }

    // Of each recording the steps that are shown, by the warp that is chosen.
    const kept = () => recordings.map((recording) => recording.steps.filter((step) =>
        choice.warp === "" || (step.warp === null ? choice.warp === "own" : step.warp === Number(choice.warp))));

    // The places to go to, each with the number of the step that is shown of each recording, -1 before the first.
    function places(all) {
        const last = Math.max(0, ...all.map((steps) => steps.length));
        if (all.length < 2 || !choice.byCycle) {
            return Array.from({ length: last }, (_, at) => all.map((steps) => Math.min(at, steps.length - 1)));
        }
        const cycles = [...new Set(all.flatMap((steps) => steps.map((step) => step.cycle)))].sort((a, b) => a - b);
        const next = all.map(() => -1);
        return cycles.map((cycle) => all.map((steps, index) => {
            while (next[index] + 1 < steps.length && steps[next[index] + 1].cycle <= cycle) {
                next[index] += 1;
            }
            return next[index];
        }));
    }

    // The line of the original source that a line of PTX comes from, as the `.loc` before it says.
    const originOf = (line) => {
        const origin = (state.answer?.origins ?? []).findLast(([at]) => at <= line);
        return origin && line > 0 ? `${origin[1]}:${origin[2]}${origin[3] ? `  ${origin[3]}` : ""}` : "";
    };

    return (body) => {
        const draw = () => {
            const focused = document.activeElement?.id;
            body.replaceChildren();
            show(body);
            document.getElementById(focused)?.focus();
        };
        function show() {
            body.append(controls(draw, body));
            problems.forEach((problem) => body.append(element("pre", { class: "error problem" }, problem)));
            if (isBusy || recordings.length === 0) {
                const text = isBusy ? "Running …" : state.kernel
                    ? "Choose a launch and a block of the kernel, and one or two divergence schemes, and record."
                    : "The program has no kernel.";
                body.append(element("p", { class: "dim empty" }, text));
                return;
            }
            if (asked !== state.question().source) {
                body.append(element("p", { class: "dim empty" }, "The program has changed since this was recorded."));
            }
            const all = kept();
            const stops = places(all);
            const box = element("div", { class: "scrolled steps", tabindex: "0", role: "region", "aria-label": "State of the block" });
            const bar = transport(stops, all, box);
            body.append(bar, box);
            [bar, box].forEach((part) => part.addEventListener("keydown", (event) => transportKeys(event, stops, all, box)));
            at(choice.at, stops, all, box);
        }
        show();

        // Goes to a place.
        function at(place, stops, all, box) {
            choice.at = Math.max(0, Math.min(place, stops.length - 1));
            const slider = document.getElementById(`${body.id}-slider`);
            if (slider) {
                slider.value = choice.at;
            }
            const numbers = stops[choice.at] ?? all.map(() => -1);
            const say = document.getElementById(`${body.id}-place`);
            say.textContent = `${stops.length === 0 ? 0 : choice.at + 1} of ${stops.length}`;
            const scrolled = [...box.querySelectorAll(".code-window")].map((window) => window.scrollTop);
            box.replaceChildren(...recordings.map((recording, index) =>
                column(recording, all[index][numbers[index]], all[index].length, numbers[index], originOf)));
            box.querySelectorAll(".code-window").forEach((window, index) => {
                window.scrollTop = scrolled[index] ?? 0;
                const current = window.querySelector(".now");
                if (current) {
                    window.scrollTop = Math.max(0, current.offsetTop - 60);
                }
            });
            const line = recordings[0] && all[0][numbers[0]] ? recordings[0].lineOf(all[0][numbers[0]].pc) : 0;
            here(line);
        }

        function transport(stops, all, box) {
            const go = (by) => () => at(choice.at + by, stops, all, box);
            const button = (text, label, act) => element("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
            const slider = element("input", {
                type: "range", min: 0, max: Math.max(0, stops.length - 1), value: choice.at, id: `${body.id}-slider`, "aria-label": "Step",
                oninput: (event) => at(Number(event.target.value), stops, all, box),
            });
            return element("div", { class: "bar-of-controls transport" },
                button("|◀", "First step (Home)", go(-Infinity)), button("◀", "Step back (←)", go(-1)),
                button("▶", "Step (→)", go(1)), button("▶|", "Last step (End)", go(Infinity)),
                button("split ▶", "Next split or join of paths (D)", () => at(nextChange(stops, all, 1), stops, all, box)),
                slider, element("span", { id: `${body.id}-place`, role: "status" }));
        }

        function transportKeys(event, stops, all, box) {
            const to = {
                ArrowLeft: choice.at - 1, ArrowRight: choice.at + 1, PageUp: choice.at - 20, PageDown: choice.at + 20, Home: 0,
                End: stops.length - 1, d: nextChange(stops, all, 1), D: nextChange(stops, all, -1),
            }[event.key];
            // The slider has arrow keys of its own.
            const isOwn = event.target.matches("input") && event.key.toLowerCase() !== "d";
            if (to !== undefined && !isOwn && !event.altKey && !event.ctrlKey && !event.metaKey) {
                event.preventDefault();
                at(to, stops, all, box);
            }
        }
    };

    // The next place, forwards or backwards, at which there are more paths or fewer than before in one of the recordings.
    function nextChange(stops, all, by) {
        const count = (place) => stops[place].map((number, index) => all[index][number]?.entries ?? 0).join();
        for (let place = choice.at + by; place > 0 && place < stops.length; place += by) {
            if (count(place) !== count(place - 1)) {
                return place;
            }
        }
        return by > 0 ? stops.length - 1 : 0;
    }

    function controls(draw, body) {
        const { id } = body;
        const number = (key, label) => element("label", {}, `${label} `, element("input", {
            type: "number", min: 0, value: choice[key], class: "number-input", id: `${id}-step-${key}`,
            oninput: (event) => {
                choice[key] = Math.max(0, Math.floor(Number(event.target.value) || 0));
            },
        }));
        const select = (index) => element("select", {
            id: `${id}-step-scheme-${index}`, "aria-label": index === 0 ? "Divergence scheme" : "Second divergence scheme",
            onchange: (event) => {
                choice.schemes[index] = event.target.value;
            },
        }, ...["", ...state.divergence].map((name) => element("option", { value: name, selected: name === choice.schemes[index] },
            name || (index === 0 ? "the machine's scheme" : "no second scheme"))));
        const warps = Math.max(0, ...recordings.map((recording) => recording.warps));
        const warp = element("select", { id: `${id}-step-warp`, onchange: (event) => {
            choice.warp = event.target.value;
            choice.at = 0;
            draw();
        } }, element("option", { value: "" }, "all warps"), ...Array.from({ length: warps }, (_, at) =>
            element("option", { value: at, selected: String(at) === choice.warp }, `warp ${at}`)));
        if (recordings.some((recording) => recording.steps.some((step) => step.warp === null))) {
            warp.append(element("option", { value: "own", selected: choice.warp === "own" }, "affine warp"));
        }
        const byCycle = element("input", { type: "checkbox", checked: choice.byCycle, id: `${id}-step-by-cycle`, onchange: () => {
            choice.byCycle = byCycle.checked;
            choice.at = 0;
            draw();
        } });
        return element("form", { class: "bar-of-controls", onsubmit: (event) => {
            event.preventDefault();
            record(draw, body);
        } }, number("launch", "Launch"), number("block", "Block"), select(0), select(1), element("button", {}, "Record"),
        ...(recordings.length > 0 ? [warp] : []),
        ...(recordings.length > 1 ? [element("label", { class: "check" }, byCycle, " same cycle")] : []));
    }
}

// What is shown of a recording at a step.
function column(recording, step, count, number, originOf) {
    const { scheme: name, width } = recording;
    const head = element("h3", {}, name);
    if (!step) {
        return element("section", { class: "step-column" }, head, element("p", { class: "dim" }, "no instruction has issued yet"));
    }
    const who = step.warp === null ? "affine warp" : `warp ${step.warp}`;
    const full = recording.full && number === count - 1 ? "; later steps were not recorded" : "";
    const line = recording.lineOf(step.pc);
    const origin = originOf(line);
    return element("section", { class: "step-column" }, head,
        element("p", {}, element("strong", {}, `cycle ${step.cycle}`), `, step ${number + 1} of ${count}: ${who}, instruction ${step.pc}`,
            line > 0 ? `, line ${line}` : "", full),
        ...(origin ? [element("pre", { class: "origin" }, origin)] : []),
        code(recording, step),
        element("p", { class: "dim" }, "lanes of the path; those in which the instruction acted are filled"),
        lanesOf(step.lanes, width, { acted: step.acted }),
        times(step), scheme(recording, step), accesses(recording, step), paths(recording, step, choice.warp), queues(step));
}
