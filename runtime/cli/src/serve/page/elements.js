// Elements of the page, made from names, attributes and children. Texts are always texts, never markup.

export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) {
            made.addEventListener(key.slice(2), value);
        } else if (value !== undefined && value !== false) {
            made.setAttribute(key, value === true ? "" : value);
        }
    }
    made.append(...children);
    return made;
}

// A drawing of the server's.
export function drawing(svg) {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    return document.importNode(parsed.documentElement, true);
}

// Calls `what` when it was not asked for again for some milliseconds.
export function later(milliseconds, what) {
    let timer = null;
    let values = [];
    const now = () => {
        clearTimeout(timer);
        timer = null;
        return what(...values);
    };
    const soon = (...given) => {
        clearTimeout(timer);
        values = given;
        timer = setTimeout(now, milliseconds);
    };
    // Calls it at once if a call is pending.
    soon.flush = () => (timer === null ? undefined : now());
    return soon;
}
