// The parts of a block's state.

import { element } from "./elements.js";

// Lines of code that are shown around an instruction.
const AROUND = 40;

// Lanes in a row. `lanes` is {warp, mask}, threads of one warp each at its place, or {threads}; a thread of another warp has the colour of its warp.
// Of `acted`, a mask, the others are only outlined.
export function lanesOf(lanes, width, { acted, warps } = {}) {
    const threads = lanes.threads
        ?? [...lanes.mask].map((bit, lane) => (bit === "1" ? lanes.warp * width + lane : null));
    const cells = threads.map((thread, lane) => {
        const home = thread === null ? "" : Math.floor(thread / width);
        const acts = acted === undefined || acted[lane] === "1";
        const color = lanes.threads || warps ? `home${home % 8}` : "";
        const kind = thread === null ? "off" : `on ${acts ? "" : "idle"} ${color}`;
        const title = thread === null ? `lane ${lane}: none` : `lane ${lane}: thread ${thread}${acts ? "" : ", did not act"}`;
        return element("i", { class: kind, title });
    });
    const active = threads.flatMap((thread, lane) => (thread === null ? [] : [lane]));
    return element("span", { class: "lanes", role: "img", "aria-label": `lanes ${ranges(active) || "none"}` }, ...cells);
}

// `0 to 3, 7`.
function ranges(numbers) {
    const found = [];
    for (const number of numbers) {
        const last = found.at(-1);
        if (last && last[1] === number - 1) {
            last[1] = number;
        } else {
            found.push([number, number]);
        }
    }
    return found.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(", ");
}

// The code around an instruction, with the places of the paths of its warp.
export function code(recording, step) {
    const at = recording.assembly.findIndex(([, , pc]) => pc === step.pc);
    const others = new Set(step.paths.map((path) => path.pc));
    const rows = recording.assembly.slice(Math.max(0, at - AROUND), at + AROUND).map(([text, , pc]) => {
        const mark = pc === step.pc ? "▶" : pc !== null && others.has(pc) ? "○" : " ";
        return element("div", { class: pc === step.pc ? "now" : "" }, `${mark} ${pc === null ? "    " : String(pc).padStart(4)} ${text}`);
    });
    return element("div", { class: "code-window" }, ...rows);
}

export function times(step) {
    const names = ["fetched", "issued", "operands read", "in the load/store unit", "ended"];
    const known = step.times.map((cycle, index) => [names[index], cycle]).filter(([, cycle]) => cycle !== null);
    return element("p", { class: "dim" }, known.map(([name, cycle]) => `${name} ${cycle}`).join(" → "));
}

function table(title, heads, rows) {
    return element("div", { class: "part" }, element("h4", {}, title), element("div", { class: "scroll" }, element("table", {},
        element("tr", {}, ...heads.map((head) => element("th", {}, head))),
        ...rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell)))))));
}

// Memory accesses as lines, those of shared memory as banks.
export function accesses({ line, banks, width }, step) {
    if (!step.access) {
        return "";
    }
    const { what, space, lanes } = step.access;
    const isShared = space === "shared";
    const groups = new Map();
    for (const [lane, address] of lanes) {
        const key = isShared ? Math.floor(address / 4) % banks : address - (address % line);
        groups.set(key, [...(groups.get(key) ?? []), [lane, address]]);
    }
    const name = (key) => (isShared ? `bank ${key}` : `0x${key.toString(16).padStart(8, "0")}`);
    const rows = [...groups].sort(([a], [b]) => a - b).map(([key, members]) => {
        const set = new Set(members.map(([lane]) => lane));
        const mask = Array.from({ length: width }, (_, lane) => (set.has(lane) ? "1" : "0")).join("");
        const offsets = isShared
            ? `${new Set(members.map(([, address]) => address - (address % 4))).size} word(s)`
            : `bytes ${ranges([...new Set(members.map(([, address]) => address - key))].sort((a, b) => a - b))}`;
        return [name(key), lanesOf({ warp: 0, mask }, width), offsets];
    });
    const count = isShared ? `${rows.length} of ${banks} banks` : `${rows.length} line${rows.length === 1 ? "" : "s"} of ${line} bytes`;
    return table(`${what}, ${space} memory: ${count}`, [isShared ? "bank" : "line", "lanes", isShared ? "" : "offsets"], rows);
}

// The paths of the block, or of a warp, with the registers that they wait for.
export function paths({ width, regroups }, step, warp) {
    const pending = (path) => path.pending.map(([name, memory, cycle]) =>
        `${name}${memory ? " (memory)" : ""}${cycle === null ? "" : ` at ${cycle}`}`).join(", ");
    const isWanted = (path) => regroups || warp === "" || path.lanes.warp === Number(warp);
    const rows = step.paths.filter(isWanted).map((path) => [
        path.lanes.threads ? `slot ${path.slot}` : `warp ${path.lanes.warp}`, `${path.pc}${path.waits ? ", at a barrier" : ""}`,
        path.reconvergence === null ? "–" : String(path.reconvergence), lanesOf(path.lanes, width, { warps: regroups }), pending(path),
    ]);
    return table("Paths that can issue, and the registers that are not there yet (scoreboard)", ["path", "next", "until", "lanes", "registers"], rows);
}

// What the scheme keeps: a row for each entry of its stack or tables, lanes drawn.
export function scheme({ width, regroups }, step) {
    if (step.warp === null || !step.scheme) {
        return "";
    }
    const entries = step.scheme.match(/\[[^\]]*\]|[^[\]\s]+/g) ?? [];
    const strip = regroups ? new RegExp(`(^|[ /:])([0-9A-Z+-]{${width}})(?![0-9A-Z])`) : new RegExp(`(^|[ /:])([01]{${width}})(?![0-9A-Z])`);
    const drawn = (digits) => lanesOf(regroups
        ? { threads: [...digits].map((digit, lane) => (digit === "-" ? null : home(digit) * width + lane)) }
        : { warp: 0, mask: digits }, width);
    const row = (text) => {
        const parts = [];
        let rest = text.replace(/^\[|\]$/g, "");
        for (let found = strip.exec(rest); found; found = strip.exec(rest)) {
            parts.push(element("span", { class: "place" }, rest.slice(0, found.index) + found[1]), drawn(found[2]));
            rest = rest.slice(found.index + found[0].length);
        }
        return element("li", {}, ...parts, element("span", { class: "rest" }, rest));
    };
    const title = regroups ? "What the scheme keeps (lanes in the colour of their threads' warps)" : "What the scheme keeps for the warp, the last on top of a stack";
    return element("div", { class: "part" }, element("h4", {}, title), element("ol", { class: "entries" }, ...entries.map(row)));
}

function home(digit) {
    const number = Number.parseInt(digit, 36);
    return Number.isNaN(number) ? 0 : number;
}

export function queues(step) {
    if (!step.queues) {
        return "";
    }
    const rows = step.queues.map(([addresses, predicates], warp) => [`warp ${warp}`, String(addresses), String(predicates)]);
    return table("Operand queues (what the affine warp has prepared)", ["", "addresses", "predicates"], rows);
}
