// A recording of steps, as the server sends it: only what has changed of the paths since the step before. Here each step gets all.

export function recorded(answer) {
    const lines = new Map(answer.assembly.filter(([, , pc]) => pc !== null).map(([, line, pc]) => [pc, line]));
    let all = new Map();
    const steps = answer.steps.map((step) => {
        if (step.paths.length > 0 || step.gone.length > 0) {
            all = new Map(all);
            step.gone.forEach((slot) => all.delete(slot));
            step.paths.forEach((path) => all.set(path.slot, path));
        }
        const known = [...all.values()].sort((a, b) => a.slot - b.slot);
        // Entries of a stack or a table, and the paths of the scheme.
        const pathsOf = (it) => it.entries.reduce((sum, entry) => sum + (entry.paths ?? []).length, it.paths.length);
        const entries = step.scheme.reduce((sum, it) => sum + it.entries.length + pathsOf(it), 0);
        return { ...step, paths: known, entries, cycle: step.times[1] };
    });
    const warps = 1 + Math.max(-1, ...steps.map((step) => step.warp ?? -1));
    return { ...answer, steps, warps, lineOf: (pc) => lines.get(pc) ?? 0 };
}
