import { html } from 'hono/html'
import { cut } from '#agent-jobs/step.ts'
import { changeCounts, counted, type Markup } from '#code-host/pages/layout.ts'
import type { Diff, DiffFile, DiffLine } from '#code-host/pull-requests/diff.ts'

/** Lines of all files together and of one, and characters of a line; more than that is read better in a clone. */
const shown = { lines: 5000, linesOfFile: 2000, columns: 2000 }

/** What changed, file by file, with how much of it there is. */
export const changesShown = ({ files, isCut, totals }: Diff): Markup => {
  let left = shown.lines
  const sections = files.map((file) => {
    const lines = file.lines.slice(0, Math.min(left, shown.linesOfFile))
    left -= lines.length
    return fileShown(file, lines)
  })
  return html`<h2>Changes <span class="quiet">in ${counted(totals.files, 'file')}</span> ${changeCounts(totals)}</h2>
    ${totals.files === 0 ? html`<p class="quiet">Nothing differs.</p>` : sections}
    ${isCut ? html`<p class="panel quiet">The changes are cut off here: clone the repository to see all of them.</p>` : ''}`
}

const fileShown = ({ path, note, lines: all, added, removed }: DiffFile, lines: readonly DiffLine[]): Markup =>
  html`<section class="panel file">
    <h3>
      <code>${visible(path)}</code>${note === '' ? '' : html` <span class="quiet">${visible(note)}</span>`}
      ${all.length === 0 ? '' : changeCounts({ added, removed })}
    </h3>
    ${
      lines.length === 0
        ? ''
        : html`<pre
            tabindex="0"
            role="region"
            aria-label="Changes in ${visible(path)}"
          ><code>${lines.map(lineShown)}</code></pre>`
    }
    ${
      all.length > lines.length
        ? html`<p class="quiet">
            ${counted(all.length - lines.length, 'more line')}: clone the repository to see them.
          </p>`
        : ''
    }
  </section>`

const lineShown = ({ kind, text, before, after }: DiffLine): Markup =>
  html`<span class="${kind}">${lineNumber(before)}${lineNumber(after)}${visible(cut(text, shown.columns))}</span>`

const lineNumber = (number: number | null): Markup => html`<i aria-hidden="true">${number ?? ''}</i>`

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const hidden = /[\0-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Shows what would otherwise change how the text around it looks: controls, and signs that turn its direction. */
export const visible = (text: string): string =>
  text.replaceAll(hidden, (sign) => {
    const code = sign.codePointAt(0)!
    if (code === 0x7f) return '␡'
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `[U+${code.toString(16).toUpperCase()}]`
  })
