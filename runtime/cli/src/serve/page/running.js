// Panes of a run: what it printed, and its report.

import { element } from "./elements.js";

// `options` holds the program's arguments and standard input; they outlive the pane.
export function output(state, options, run) {
    return (body) => {
        const field = (name, label, placeholder = "") => element("label", {}, `${label} `, element("input", {
            id: `${body.id}-${name}`, value: options[name], spellcheck: "false", placeholder,
            oninput: (event) => {
                options[name] = event.target.value;
            },
        }));
        const form = element("form", { class: "bar-of-controls", onsubmit: (event) => {
            event.preventDefault();
            run();
        } }, field("arguments", "Arguments", state.answer?.is_ptx ? "KERNEL --grid G --block B --arg VALUE …" : ""), field("input", "Standard input"), element("button", {}, "Run"));
        body.append(form);
        const { ran, running } = state;
        if (running || !ran) {
            body.append(element("p", { class: "dim empty" }, running ? "Running …" : "The program has not run yet: Ctrl+Enter."));
            return;
        }
        const parts = [["refused", "Stopped"], ["ended", "How it ended"], ["errors", "Standard error"], ["output", "Output"],
            ["table", "What it took"]];
        const shown = parts.filter(([key]) => ran[key]);
        const box = element("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "Output" });
        for (const [key, title] of shown) {
            const alarm = key === "refused" || key === "ended" ? "error" : "";
            box.append(element("h3", {}, title), element("pre", { class: alarm }, ran[key]));
        }
        if (ran.diagnostics?.some((found) => found.severity === "error")) {
            box.append(element("p", {}, "The program cannot be run; the diagnostics say why."));
        } else if (shown.length === 0) {
            box.append(element("p", {}, "It ended without output."));
        }
        body.append(box);
    };
}

export function report(state) {
    return (body) => {
        const { ran, running } = state;
        if (running || !ran?.page) {
            const text = running ? "Running …" : ran ? "There is no report of this run." : "The program has not run yet: Ctrl+Enter.";
            body.append(element("p", { class: "dim empty" }, text));
            return;
        }
        // It has no scripts, and may have none.
        body.append(element("iframe", { sandbox: "", srcdoc: ran.page, title: "Report of the run" }));
    };
}
