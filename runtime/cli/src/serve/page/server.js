// Questions to the server. It ends the work on a question that is given up.

async function json(response) {
    try {
        return await response.json();
    } catch {
        return { refused: `the server's answer, ${response.status}, cannot be read` };
    }
}

// What the page has to know first.
export async function start() {
    return json(await fetch("api/start"));
}

// Asks questions of a kind; a new question gives up the last one. The answer is `null` of one that was given up, and has `refused`, a
// sentence, of one that cannot be answered.
export function asker(kind) {
    let last = new AbortController();
    return async (question) => {
        last.abort();
        last = new AbortController();
        const { signal } = last;
        try {
            const response = await fetch(`api/${kind}`, {
                method: "POST",
                headers: { "content-type": "application/json" },
                body: JSON.stringify(question),
                signal,
            });
            return await json(response);
        } catch {
            return signal.aborted ? null : { refused: "the server does not answer: has `reconverge serve` been stopped?" };
        }
    };
}
