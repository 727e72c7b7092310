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
    const isShown = (path) => regroups || warp === "" || path.lanes.warp === Number(warp);
    const rows = step.paths.filter(isShown).map((path) => [
        path.lanes.threads ? `slot ${path.slot}` : `warp ${path.lanes.warp}`, `${path.pc}${path.waits ? ", at a barrier" : ""}`,
        path.reconvergence === null ? "–" : String(path.reconvergence), lanesOf(path.lanes, width, { warps: regroups }), pending(path),
    ]);
    return table("Paths that can issue, and the registers that are not there yet (scoreboard)", ["path", "next", "until", "lanes", "registers"], rows);
}

const STATUS = { running: "*", idle: "", "at-barrier": " at a barrier", deferred: " lets others run", blocked: " waits for lanes" };

// The scheme's state: a row for each entry of its stack or tables and for each path beside them, lanes drawn.
export function scheme({ width, regroups }, step) {
    if (step.warp === null || step.scheme.length === 0) {
        return "";
    }
    const drawn = (lanes) => lanesOf(lanes, width, { warps: regroups });
    const text = (...words) => element("span", { class: "place" }, words.join(""));
    const place = (pc) => (pc === null ? "–" : `@${pc}`);
    const path = ({ name, pc, lanes, status }, before = "") => [
        text(before, name ? `${name} ` : "", `${place(pc)} `), drawn(lanes), element("span", { class: "rest" }, STATUS[status]),
    ];
    const entry = (it) => {
        if (it.kind === "set") {
            return [text(it.barrier === null ? "" : `b${it.barrier} `, `${place(it.pc)} `), drawn(it.lanes)];
        }
        if (it.kind === "block-wide") {
            return [text(`${place(it.reconvergence)} `), ...it.members.map(drawn), element("span", { class: "rest" }, ` ${place(it.pc)} ${it.warps}${it.is_active ? "*" : ""}`)];
        }
        const likely = `${it.is_likely ? " ~" : ""}${it.likely === null ? "" : ` ~${place(it.likely)}`}`;
        const until = `${place(it.reconvergence)} `;
        const paths = it.paths.flatMap((one, at) => path(one, at === 0 ? until : ""));
        return [...(paths.length === 0 ? [text(until)] : paths), element("span", { class: "rest" }, likely)];
    };
    const rows = step.scheme.flatMap(({ entries, paths, bypassed = [], predictions = [] }) => [
        ...entries.map(entry),
        ...(bypassed.length > 0 ? [[text(`UMask ${bypassed.map((has) => (has ? "0" : "1")).join("")}`)]] : []),
        ...(predictions.length > 0 ? [[text(`CAPT ${predictions.map(([pc, history]) => `BR_${place(pc)}=${history}`).join(" ")}`)]] : []),
        ...paths.map((one) => path(one)),
    ]);
    const title = regroups ? "The scheme's state (lanes in the colour of their threads' warps)" : "The scheme's state for the warp, the last entry on top of a stack";
    return element("div", { class: "part" }, element("h4", {}, title), element("ol", { class: "entries" }, ...rows.map((parts) => element("li", {}, ...parts))));
}

export function queues(step) {
    if (!step.queues) {
        return "";
    }
    const rows = step.queues.map(([addresses, predicates], warp) => [`warp ${warp}`, String(addresses), String(predicates)]);
    return table("Operand queues (what the affine warp has prepared)", ["", "addresses", "predicates"], rows);
}
