import type { Context } from 'hono'
import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Markup that is already escaped. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

type PageOptions = {
  /** Keeps the parts with `data-live` up to date. */
  live?: boolean
  up?: Markup
  /** Makes the browser forget its pass. */
  passRefused?: boolean
}

/** A page of the code host: a way back, a heading, and the content. Its forms appear once the browser has a pass. */
export const page = (title: string, content: Markup, options: PageOptions = {}): Markup =>
  html`<!doctype html>
    <html lang="en" ${options.passRefused ? html`data-pass="refused"` : ''}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Local code host</title>
        <link rel="icon" href="/code-host.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/code-host.css" />
        <script src="/pass.js"></script>
        ${options.live ? html`<script src="/code-host.js" type="module"></script>` : ''}
      </head>
      <body>
        <header>
          <a href="/">Local code host</a>
          <p>The embedded service of Docket, on this computer only</p>
        </header>
        <main>
          ${options.up ? html`<p class="up">${options.up}</p>` : ''}
          <h1>${title}</h1>
          <p class="panel pass-needed">
            Open this page from Docket to make changes. You need to be an operator or an admin there.
            <a href="/open-docket">Open Docket</a>
          </p>
          ${content}
        </main>
      </body>
    </html>`

/** Link to the first page, for pages without a repository. */
export const wayBack: Markup = html`<a href="/">Agent jobs and repositories</a>`

/** The page for an address that leads nowhere. */
export const notFound = (c: Context) =>
  c.html(page('Not found', html`<p>There is nothing at this address.</p>`, { up: wayBack }), 404)

/** An instant as people read it, with the exact one in the markup. */
export const time = (iso: string): Markup => {
  const at = new Date(iso)
  const exact = Number.isNaN(at.getTime()) ? iso : at.toISOString()
  return html`<time datetime="${exact}">${exact.slice(0, 16).replace('T', ' ')} UTC</time>`
}

/** Symbols for states of jobs and pull requests. */
const signs = {
  active: '◔',
  completed: '✓',
  failed: '✕',
  archived: '▣',
  open: '○',
  merged: '●',
  closed: '✕',
} as const

/** A status as a word and a shape, so that it needs no colour. */
export const statusBadge = (status: keyof typeof signs): Markup =>
  html`<span class="status ${status}"><span aria-hidden="true">${signs[status]}</span> ${status}</span>`

/** `1 file`, `2 files`, `1,234 files`. */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

/** Lines and commits are added and removed; with words for those who do not see the colours. */
export const changeCounts = ({ added, removed }: { added: number; removed: number }): Markup =>
  html`<span class="counts"
    ><span class="plus">+${added.toLocaleString('en-US')}<span class="spoken"> lines added,</span></span>
    <span class="minus">−${removed.toLocaleString('en-US')}<span class="spoken"> removed</span></span></span
  >`
