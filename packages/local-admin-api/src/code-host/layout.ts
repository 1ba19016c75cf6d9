import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Markup that is already escaped. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

/** A page of the code host: a heading, a way back, and the content. `refresh` reloads it every two seconds. */
export const page = (title: string, content: Markup, options: { refresh?: boolean } = {}): Markup =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${options.refresh ? html`<meta http-equiv="refresh" content="2" />` : ''}
        <title>${title} · Local code host</title>
        <link rel="stylesheet" href="/code-host.css" />
      </head>
      <body>
        <header>
          <a href="/">Local code host</a>
          <p>The embedded service of Docket, on this machine only</p>
        </header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`

/** An instant as people read it, with the exact one in the markup. */
export const time = (iso: string): Markup =>
  html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
