// The editor of the explorer: CodeMirror with what this page needs of it, and nothing of the page.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
    Decoration, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

// Decorations that are replaced as a whole, and that move with the text until then.
function layer() {
    const replace = StateEffect.define();
    const field = StateField.define({
        create: () => Decoration.none,
        update(value, transaction) {
            value = value.map(transaction.changes);
            for (const effect of transaction.effects) {
                if (effect.is(replace)) {
                    value = effect.value;
                }
            }
            return value;
        },
        provide: (field) => EditorView.decorations.from(field),
    });
    return { replace, field };
}

// The offset of a line and column, both from 1, columns in characters as people count them; the nearest there is.
function offset(doc, line, column) {
    if (line < 1) {
        return 0;
    }
    if (line > doc.lines) {
        return doc.length;
    }
    const { from, text } = doc.line(line);
    let at = 0;
    for (let seen = 1; seen < column && at < text.length; seen += 1) {
        at += text.codePointAt(at) > 0xffff ? 2 : 1;
    }
    return from + at;
}

// An editor in `parent`. `changed(text)` is called when the text changes, `moved(line, column)` when the cursor does.
export function createEditor(parent, { label, changed, moved }) {
    const [colors, marks, here] = [layer(), layer(), layer()];
    const view = new EditorView({
        parent,
        state: EditorState.create({
            extensions: [
                lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), lintGutter(), history(),
                indentOnInput(), indentUnit.of("    "), bracketMatching(), highlightSelectionMatches(), cpp(),
                syntaxHighlighting(classHighlighter), colors.field, marks.field, here.field,
                // Tab is not among the keys: it leads on to the rest of the page.
                keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
                EditorView.contentAttributes.of({ "aria-label": label }),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged) {
                        changed(view.state.doc.toString());
                    }
                    if (update.selectionSet) {
                        moved(...place());
                    }
                }),
            ],
        }),
    });
    function place() {
        const head = view.state.selection.main.head;
        const line = view.state.doc.lineAt(head);
        return [line.number, [...line.text.slice(0, head - line.from)].length + 1];
    }
    const show = ({ replace }, ranges) => view.dispatch({ effects: replace.of(Decoration.set(ranges, true)) });
    const lineClass = (line, name) => {
        const known = line >= 1 && line <= view.state.doc.lines;
        return known ? [Decoration.line({ class: name }).range(view.state.doc.line(line).from)] : [];
    };
    return {
        text: () => view.state.doc.toString(),
        place,
        setText(text) {
            const changes = { from: 0, to: view.state.doc.length, insert: text };
            view.dispatch({ changes, selection: { anchor: 0 }, scrollIntoView: true });
        },
        // [{line, column, endLine, endColumn, severity, message}]
        setDiagnostics(found) {
            const { doc } = view.state;
            view.dispatch(setDiagnostics(view.state, found.map((one) => {
                const from = offset(doc, one.line, one.column);
                const to = Math.max(from, offset(doc, one.endLine, one.endColumn));
                return { from, to, severity: one.severity, message: one.message };
            })));
        },
        // [[line, class]]
        setColors: (lines) => show(colors, lines.flatMap(([line, name]) => lineClass(line, name))),
        // [{line, column, length, class, text}]
        setMarks(found) {
            const { doc } = view.state;
            show(marks, found.flatMap((one) => {
                const from = offset(doc, one.line, one.column);
                const to = offset(doc, one.line, one.column + one.length);
                const mark = Decoration.mark({ class: one.class, attributes: { title: one.text } });
                return to > from ? [mark.range(from, to)] : [];
            }));
        },
        // Emphasises lines; the first is scrolled to if that is wanted.
        setHere(lines, scroll) {
            show(here, lines.flatMap((line) => lineClass(line, "here")));
            if (scroll && lines.length > 0) {
                const at = offset(view.state.doc, lines[0], 1);
                view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "nearest", yMargin: 40 }) });
            }
        },
        go(line, column) {
            view.dispatch({ selection: { anchor: offset(view.state.doc, line, column) }, scrollIntoView: true });
            view.focus();
        },
        focus: () => view.focus(),
    };
}
