import { cut } from '@docket/sources/text'
import { html } from 'hono/html'
import { diffLimitBytes, type Diff, type DiffFile, type DiffLine } from '#embedded/pull-requests/diff.ts'
import { changeCounts, count, type Markup } from './layout.ts'
import { reveal } from './text.ts'

/**
 * Maximum files, lines in total, lines per file, and characters per line. Larger changes are easier to read in a clone.
 */
const limits = { files: 300, lines: 4000, linesOfFile: 1500, columns: 1000 }

/** Changes file by file, with their size and a note when they are cut. */
export const renderChanges = ({ files, isCut, totals }: Diff): Markup => {
  let left = limits.lines
  const sections = files.slice(0, limits.files).map((file) => {
    const lines = file.lines.slice(0, Math.min(left, limits.linesOfFile))
    left -= lines.length
    return renderFile(file, lines)
  })
  const size =
    totals &&
    totals.files > 0 &&
    html`<span class="quiet">in ${count(totals.files, 'file')}</span> ${changeCounts(totals)}`
  return html`<h2>Changes ${size || ''}</h2>
    ${isCut || files.length > limits.files ? html`<p class="panel cut">${cutSentence(sections.length, totals)}</p>` : ''}
    ${files.length === 0 ? html`<p class="panel quiet">Nothing differs.</p>` : sections}`
}

const cutSentence = (files: number, totals: Diff['totals']) =>
  `This is the beginning of a large change: ${count(files, 'file')}${totals ? ` of ${totals.files.toLocaleString('en-US')}` : ''}, ` +
  `and ${diffLimitBytes / 1024} kB at most. Clone the repository to see all of it.`

const renderFile = ({ path, note, lines: all, isCut, ...counts }: DiffFile, lines: readonly DiffLine[]): Markup =>
  html`<section class="panel file">
    <h3>
      <code>${reveal(path)}</code>${note === '' ? '' : html` <span class="quiet">${reveal(note)}</span>`}
      ${all.length === 0 || isCut ? '' : changeCounts(counts)}
    </h3>
    ${lines.length === 0 ? '' : html`<pre><code>${lines.map(renderLine)}</code></pre>`}
    ${
      all.length > lines.length || isCut
        ? html`<p class="quiet">
            ${isCut ? 'More lines' : count(all.length - lines.length, 'more line')}: clone the repository to see them.
          </p>`
        : ''
    }
  </section>`

const renderLine = ({ kind, text, before, after }: DiffLine): Markup =>
  html`<span class="${kind}">${lineNumber(before)}${lineNumber(after)}${reveal(cut(text, limits.columns))}</span>`

const lineNumber = (number: number | null): Markup => html`<i aria-hidden="true">${number ?? ''}</i>`
