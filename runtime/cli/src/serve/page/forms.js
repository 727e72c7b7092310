// Panes that show forms of the program.

import { drawing, element } from "./elements.js";
import { listing } from "./listing.js";

// Says why there is nothing to see.
function nothing(body, text) {
    body.append(element("p", { class: "dim empty" }, text));
}

function why(state) {
    if (!state.answer) {
        return "Compiling …";
    }
    const broken = state.answer.diagnostics.some((found) => found.severity === "error");
    return broken ? "The program does not compile." : "The program has no kernel.";
}

export function assembly(state, chosen) {
    return (body) => {
        const { kernel, colors } = state;
        if (!kernel) {
            return nothing(body, why(state));
        }
        const rows = kernel.assembly.map(([text, line]) => ({ text, line }));
        const shown = listing({ label: `Assembly of ${kernel.name}`, rows, colors, chosen });
        body.append(shown.box);
        return shown;
    };
}

// The representation after a pass, with what the pass has changed. Which pass is chosen and what is shown of it outlives the answer.
export function representation(state, chosen) {
    const choice = { pass: -1, differences: true };
    return function show(body) {
        const { kernel, colors } = state;
        if (!kernel) {
            return nothing(body, why(state));
        }
        const { passes } = kernel;
        const last = passes.length - 1;
        const at = choice.pass < 0 ? last : Math.min(choice.pass, last);
        const again = () => {
            const focused = document.activeElement?.id;
            body.replaceChildren();
            Object.assign(shown, show(body));
            document.getElementById(focused)?.focus();
            const first = body.querySelector(".added, .removed");
            if (first) {
                first.parentElement.scrollTop = Math.max(0, first.offsetTop - 60);
            }
        };
        const select = element("select", { id: `${body.id}-pass`, onchange: () => {
            choice.pass = Number(select.value) === last ? -1 : Number(select.value);
            again();
        } });
        passes.forEach(({ pass, changed }, index) => {
            const title = index === 0 ? "before all passes" : `${index}. ${pass}${changed ? "" : " (no change)"}`;
            select.append(element("option", { value: index, selected: index === at }, title));
        });
        const step = (to, label, text) => element("button", {
            type: "button", "aria-label": label, id: `${body.id}-${to < at ? "before" : "after"}`, disabled: to < 0 || to > last,
            onclick: () => {
                choice.pass = to === last ? -1 : to;
                again();
            },
        }, text);
        const changing = (from, by) => {
            let to = from + by;
            while (to > 0 && to < last && !passes[to].changed) {
                to += by;
            }
            return to;
        };
        const differences = element("input", { type: "checkbox", checked: choice.differences, id: `${body.id}-differences`, onchange: () => {
            choice.differences = differences.checked;
            again();
        } });
        body.append(element("p", { class: "bar-of-controls" },
            step(changing(at, -1), "The pass before that changes something", "◀"), select,
            step(changing(at, 1), "The next pass that changes something", "▶"),
            element("label", { class: "check" }, differences, " differences")));
        let source = at;
        while (source > 0 && !passes[source].changed) {
            source -= 1;
        }
        const { rows, missing } = passes[source];
        if (missing) {
            nothing(body, missing);
        }
        const isDifferent = choice.differences && source === at;
        const kinds = { "1": "added", "-1": "removed", "0": "" };
        const kept = rows.filter(([tag]) => tag >= 0 || isDifferent).map(([tag, text, line]) => {
            const mark = isDifferent ? { "1": "+ ", "-1": "- ", "0": "  " }[tag] : "";
            return { text: mark + text, line, kind: isDifferent ? kinds[tag] : "" };
        });
        const shown = listing({ label: `IR of ${kernel.name}`, rows: kept, colors, chosen });
        body.append(shown.box);
        return shown;
    };
}

export function graph(state, chosen) {
    return (body) => {
        const { kernel, colors } = state;
        if (!kernel) {
            return nothing(body, why(state));
        }
        if (!kernel.graph) {
            return nothing(body, "The graph has too many blocks to be drawn.");
        }
        const svg = drawing(kernel.graph);
        svg.setAttribute("aria-label", `Control flow of ${kernel.name}`);
        const texts = [...svg.querySelectorAll("[data-line]")];
        texts.forEach((text) => {
            const line = Number(text.dataset.line);
            // A spot beside the text, as texts of drawings have no background.
            const spot = document.createElementNS(svg.namespaceURI, "rect");
            const [x, y] = [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
            Object.entries({ x: x - 5, y: y - 12, width: 8, height: 16, class: `spot ${colors.get(line) ?? ""}` })
                .forEach(([key, value]) => spot.setAttribute(key, value));
            text.before(spot);
            text.addEventListener("click", () => chosen(line, false));
        });
        const kinds = [["uniform", "uniform branch"], ["programmatic", "P: on parameters and ids only"], ["data", "D: on loaded data"],
            ["plain", "no branch"]];
        body.append(
            element("p", { class: "legend" }, ...kinds.map(([kind, text]) =>
                element("span", {}, element("i", { class: `block ${kind}` }), text))),
            element("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": `Control flow of ${kernel.name}` }, svg));
        return {
            here(line, scroll) {
                texts.forEach((text) => text.classList.toggle("here", Number(text.dataset.line) === line));
                const first = texts.find((text) => Number(text.dataset.line) === line);
                if (scroll) {
                    first?.scrollIntoView({ block: "nearest" });
                }
            },
        };
    };
}

export function tree(state, chosen) {
    return (body) => {
        if (!state.answer) {
            return nothing(body, why(state));
        }
        const rows = state.answer.tree.map(([text, line]) => ({ text, line }));
        const shown = listing({ label: "Syntax tree", rows, colors: state.colors, chosen });
        body.append(shown.box);
        return shown;
    };
}

export function checkedTree(state) {
    return (body) => {
        if (!state.answer?.checked) {
            return nothing(body, state.answer ? "The program does not compile." : why(state));
        }
        body.append(element("pre", { class: "scrolled", tabindex: "0", "aria-label": "Checked tree" }, state.answer.checked));
    };
}

// What the analyses know of the word at the cursor, and why.
export function reasons(state) {
    return (body) => {
        const { why } = state;
        if (!why) {
            return nothing(body, "Put the cursor on a variable, a branch or an access of a kernel: this says what the analyses know of it, and why.");
        }
        if (why.refused) {
            return nothing(body, why.refused);
        }
        body.append(element("pre", { class: "scrolled", tabindex: "0", "aria-label": "Why" }, why.text));
    };
}
