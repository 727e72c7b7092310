// One colour for each line of the source that has code, the same in all panes.

const COLORS = 12;

// From lines to classes; neighbouring lines have colours far apart.
export function colorsOf(lines) {
    const sorted = [...new Set(lines)].filter((line) => line > 0).sort((a, b) => a - b);
    return new Map(sorted.map((line, index) => [line, `c${(index * 5) % COLORS}`]));
}

// The lines that the machine code and the representations of all kernels come from.
export function linesWithCode(kernels) {
    return kernels.flatMap((kernel) => [
        ...kernel.assembly.map(([, line]) => line),
        ...(kernel.passes[0]?.rows ?? []).map(([, , line]) => line),
    ]);
}
