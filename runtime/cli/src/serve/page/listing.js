// A listing: lines of text, each coloured like the source line that it comes from. Arrow keys and clicks choose one.

import { element } from "./elements.js";

// More lines make browsers slow; the rest is shown when it is asked for.
const SHOWN = 6000;
let listings = 0;

// Rows are {text, line, kind}; `chosen(line, enter)` is told the source line of the row that a person has chosen.
export function listing({ label, rows, colors, chosen }) {
    listings += 1;
    const name = `listing${listings}`;
    const box = element("div", { class: "listing", tabindex: "0", role: "listbox", "aria-label": label });
    const lines = [];
    let current = -1;
    let byLine = new Map();

    function add(from, to) {
        for (let index = from; index < to; index += 1) {
            const { text, line, kind } = rows[index];
            const classes = ["row-line", colors.get(line) ?? "", kind ?? ""].filter(Boolean).join(" ");
            const made = element("div", { class: classes, role: "option", id: `${name}-${index}`, "aria-selected": "false" }, text || " ");
            made.dataset.index = index;
            lines.push(made);
            box.append(made);
            if (line > 0) {
                byLine.set(line, [...(byLine.get(line) ?? []), made]);
            }
        }
        if (to < rows.length) {
            const rest = element("button", { type: "button", class: "more" }, `Show ${rows.length - to} more lines`);
            rest.addEventListener("click", () => {
                rest.remove();
                add(to, rows.length);
            });
            box.append(rest);
        }
    }
    add(0, Math.min(rows.length, SHOWN));

    function choose(index, enter) {
        if (index < 0 || index >= lines.length) {
            return;
        }
        lines[current]?.setAttribute("aria-selected", "false");
        current = index;
        lines[current].setAttribute("aria-selected", "true");
        lines[current].scrollIntoView({ block: "nearest" });
        box.setAttribute("aria-activedescendant", lines[current].id);
        chosen(rows[current].line, enter);
    }
    box.addEventListener("click", (event) => {
        const index = event.target.closest(".row-line")?.dataset.index;
        if (index !== undefined && String(getSelection()) === "") {
            choose(Number(index), false);
        }
    });
    box.addEventListener("keydown", (event) => {
        const page = Math.max(1, Math.floor(box.clientHeight / 20) - 1);
        const to = {
            ArrowUp: current - 1, ArrowDown: current + 1, Home: 0, End: lines.length - 1,
            PageUp: Math.max(0, current - page), PageDown: Math.min(lines.length - 1, current + page),
            Enter: current,
        }[event.key];
        if (to !== undefined && event.target === box && !event.ctrlKey && !event.altKey && !event.metaKey) {
            event.preventDefault();
            choose(to, event.key === "Enter");
        }
    });
    let marked = [];
    return {
        box,
        // Emphasises what comes from a source line, and scrolls to the first.
        here(line, scroll) {
            marked.forEach((one) => one.classList.remove("here"));
            marked = byLine.get(line) ?? [];
            marked.forEach((one) => one.classList.add("here"));
            if (scroll && marked.length > 0) {
                // The box is positioned, so offsets of its rows count from its own top.
                const [top, height] = [marked[0].offsetTop, box.clientHeight];
                if (top < box.scrollTop || top > box.scrollTop + height - 40) {
                    box.scrollTop = Math.max(0, top - height / 3);
                }
            }
        },
    };
}
