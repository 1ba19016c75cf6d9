import { cut } from '@docket/sources/text'
import { html } from 'hono/html'
import { diffLimitBytes, type Diff, type DiffFile, type DiffLine } from '#embedded/pull-requests/diff.ts'
import { changeCounts, counted, type Markup } from './layout.ts'
import { visible } from './text.ts'

/** Files, lines of all of them together and of one, and characters of a line; more than that is read better in a clone. */
const shown = { files: 300, lines: 4000, linesOfFile: 1500, columns: 1000 }

/** What changed, file by file, with how much of it there is, and whether that is all. */
export const changesShown = ({ files, isCut, totals }: Diff): Markup => {
  let left = shown.lines
  const sections = files.slice(0, shown.files).map((file) => {
    const lines = file.lines.slice(0, Math.min(left, shown.linesOfFile))
    left -= lines.length
    return fileShown(file, lines)
  })
  const size =
    totals &&
    totals.files > 0 &&
    html`<span class="quiet">in ${counted(totals.files, 'file')}</span> ${changeCounts(totals)}`
  return html`<h2>Changes ${size || ''}</h2>
    ${isCut || files.length > shown.files ? html`<p class="panel cut">${cutSentence(sections.length, totals)}</p>` : ''}
    ${files.length === 0 ? html`<p class="panel quiet">Nothing differs.</p>` : sections}`
}

const cutSentence = (files: number, totals: Diff['totals']) =>
  `This is the beginning of a large change: ${counted(files, 'file')}${totals ? ` of ${totals.files.toLocaleString('en-US')}` : ''}, ` +
  `and ${diffLimitBytes / 1024} kB at most. Clone the repository to see all of it.`

const fileShown = ({ path, note, lines: all, isCut, ...counts }: DiffFile, lines: readonly DiffLine[]): Markup =>
  html`<section class="panel file">
    <h3>
      <code>${visible(path)}</code>${note === '' ? '' : html` <span class="quiet">${visible(note)}</span>`}
      ${all.length === 0 || isCut ? '' : changeCounts(counts)}
    </h3>
    ${lines.length === 0 ? '' : html`<pre><code>${lines.map(lineShown)}</code></pre>`}
    ${
      all.length > lines.length || isCut
        ? html`<p class="quiet">
            ${isCut ? 'More lines' : counted(all.length - lines.length, 'more line')}: clone the repository to see them.
          </p>`
        : ''
    }
  </section>`

const lineShown = ({ kind, text, before, after }: DiffLine): Markup =>
  html`<span class="${kind}">${lineNumber(before)}${lineNumber(after)}${visible(cut(text, shown.columns))}</span>`

const lineNumber = (number: number | null): Markup => html`<i aria-hidden="true">${number ?? ''}</i>`
