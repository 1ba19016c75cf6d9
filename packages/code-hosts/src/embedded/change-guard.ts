import type { Context, MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import { page, wayBack } from '#embedded/pages/layout.ts'
import type { Action } from '#embedded/pull-requests/actions.ts'

/** A change requested by a form of these pages. */
export type PageChange = {
  action: Action | 'create-job' | 'send-message' | 'archive-job'
  projectId: string
  /** Id of the job or number of the pull request; null for a new job. */
  id: string | null
}

/** Decides who may change something on these pages. Docket provides it, because it signs people in. */
export type ChangeGuard = {
  /** Address of Docket, where people get a pass. */
  docketUrl: string
  /**
   * Calls `run` when `pass` is valid, and records who made the change. `run` resolves to whether anything changed. Resolves to false,
   * without calling `run`, when the pass is invalid.
   */
  admit(pass: string, change: PageChange, run: () => Promise<boolean>): Promise<boolean>
}

/** Returns null until Docket has started. */
export type FindChangeGuard = () => ChangeGuard | null

/** Middleware for a route that changes something: a page of this origin sent the form, and the gate admits its pass. */
export const guardChange =
  (findGuard: FindChangeGuard, action?: PageChange['action']): MiddlewareHandler =>
  async (c, next) => {
    if (!isOwnForm(c)) return c.text('Only the forms on these pages can do that.', 403)
    const form = await c.req.parseBody().catch(() => null)
    const field = (name: string) => (typeof form?.[name] === 'string' ? form[name] : '')
    const change: PageChange = {
      action: action ?? (c.req.param('action') as Action),
      projectId: c.req.param('projectId') ?? field('projectId'),
      id: c.req.param('id') ?? c.req.param('number') ?? null,
    }
    const isAdmitted = await findGuard()?.admit(field('pass'), change, async () => {
      await next()
      return c.res.status === 303
    })
    if (isAdmitted !== true) return c.html(passNeededPage, 403)
  }

/**
 * True when a page of this origin sent the form. Stops foreign pages in a browser; other programs can send any header.
 */
const isOwnForm = (c: Context): boolean => {
  const site = c.req.header('sec-fetch-site') ?? 'same-origin'
  return c.req.header('origin') === `http://${c.req.header('host')}` && site === 'same-origin'
}

const passNeededPage = page(
  'Nothing changed',
  html`<p class="panel problem" role="alert">Open this page from Docket to make changes.</p>
    <p>
      Its access ends after 8 hours, when you sign out and when Docket restarts.
      <a href="/open-docket">Open Docket</a>
    </p>`,
  { up: wayBack, passRefused: true },
)
