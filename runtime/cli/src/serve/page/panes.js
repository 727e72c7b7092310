// Panes with tabs: one is shown at a time in each area.

import { element } from "./elements.js";

// An area in `parent`. Panes are {id, title, show(body)}: `show` fills the pane's body with what is to be seen now, and may return an
// object with `here(line, scroll)`. The chosen pane is remembered while the browser's tab is open.
export function paneArea(parent, name, panes, first) {
    const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": parent.getAttribute("aria-label") });
    const body = element("div", { class: "pane", role: "tabpanel", id: `${name}-body` });
    const buttons = panes.map(({ id, title }) => element("button", {
        type: "button", role: "tab", id: `${name}-${id}`, "aria-controls": body.id,
        onclick: () => open(id),
    }, title));
    tabs.append(...buttons);
    parent.append(tabs, body);
    let shown = panes.find(({ id }) => id === first);
    let content;

    tabs.addEventListener("keydown", (event) => {
        const at = panes.indexOf(shown);
        const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: panes.length - 1 }[event.key];
        if (to !== undefined) {
            event.preventDefault();
            open(panes[(to + panes.length) % panes.length].id);
            buttons[panes.indexOf(shown)].focus();
        }
    });

    function open(id) {
        shown = panes.find((pane) => pane.id === id) ?? shown;
        body.scrollTop = 0;
        refresh();
    }
    function refresh() {
        buttons.forEach((button, index) => {
            const chosen = panes[index] === shown;
            button.setAttribute("aria-selected", String(chosen));
            button.tabIndex = chosen ? 0 : -1;
        });
        body.setAttribute("aria-labelledby", `${name}-${shown.id}`);
        body.className = `pane pane-${shown.id}`;
        const scrolled = body.querySelector(".listing, iframe, .scrolled")?.scrollTop;
        body.replaceChildren();
        content = parent.hidden ? undefined : shown.show(body);
        const box = body.querySelector(".listing, .scrolled");
        if (box && scrolled) {
            box.scrollTop = scrolled;
        }
    }
    refresh();
    return {
        open,
        refresh,
        // Shows a pane again if it is the one that is shown.
        refreshIf: (...ids) => ids.includes(shown.id) && refresh(),
        shows: (id) => !parent.hidden && shown.id === id,
        here: (line, scroll) => content?.here?.(line, scroll),
        focus: () => (body.querySelector("[tabindex='0'], button, input, select") ?? buttons[panes.indexOf(shown)]).focus(),
    };
}
