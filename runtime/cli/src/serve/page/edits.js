// What a person has made of the programs. It outlives a reload of the page, and ends with the browser's tab.

const PLACE = "reconverge-edits";

function read() {
    try {
        return JSON.parse(sessionStorage.getItem(PLACE)) ?? {};
    } catch {
        return {};
    }
}

// Texts by program, each with the source that it was made of; the options, and the program that was shown last.
export function edits() {
    const kept = { texts: {}, ...read() };
    const write = () => {
        try {
            sessionStorage.setItem(PLACE, JSON.stringify(kept));
        } catch {
            // A browser that keeps nothing loses edits with the page, as it says.
        }
    };
    return {
        // The edited text of a program, if its source is still the one that was edited.
        textOf: ({ name, source }) => (kept.texts[name]?.source === source ? kept.texts[name].text : source),
        keep({ name, source }, text) {
            if (text === source) {
                delete kept.texts[name];
            } else {
                kept.texts[name] = { source, text };
            }
            write();
        },
        options: () => kept.options,
        keepOptions(options) {
            kept.options = options;
            write();
        },
        program: () => kept.program,
        keepProgram(name) {
            kept.program = name;
            write();
        },
    };
}
